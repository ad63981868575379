#include "runtime/engine/operator_backend/dispatch_report.hpp"

#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {

namespace {

// As in base/error_members.cpp: this program writes the members itself, some tens of KiB.
constexpr std::size_t kMaxMembers = 1 << 20;

// The members of `error`'s own `details`, behind ours.
void add_own_details(ErrorMembers& details, const Error& error) {
  const auto members = read_json(error.members(), kMaxMembers);
  const Json* own = members ? find_member(*members, "details") : nullptr;
  if (own == nullptr || !own->is_object()) return;
  for (const auto& [name, value] : own->get_ref<const Json::object_t&>()) {
    details.json(name, write_json(value));
  }
}

}  // namespace

void DispatchReport::begin() {
  start_ = Clock::now();
  has_left_ = false;
  failure_.clear();
}

void DispatchReport::note_held_back() {
  has_left_ = false;
  failure_ = "not sent: another window is in front";
}

void DispatchReport::note_failure(const Error& error) {
  if (!has_left_) failure_ = "error: " + error.message();
}

std::string DispatchReport::status() const {
  const bool answered =
      collector_->envelope() || collector_->chunks().began() || collector_->is_lost();
  if (answered || !collector_->correlated().empty()) return "sent";
  if (!failure_.empty()) return failure_;
  return has_left_ ? "sent" : "unknown";
}

void DispatchReport::add_outcome(ErrorMembers& details) const {
  if (!is_look_) details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
}

Error DispatchReport::after_dispatch(const Error& error) const {
  const Execution& execution = job_->request.execution;
  ErrorMembers details;
  details.text("commandId", execution.command_id).text("taskId", execution.task_id);
  details.text("dispatchId", job_->dispatch_id);
  add_outcome(details);
  if (job_->result.attempts > 1) details.number("attempts", job_->result.attempts);
  add_own_details(details, error);
  add_log_path(details);
  ErrorMembers all = members();
  all.object("details", details);
  return {error.code(), error.message(), all.str()};
}

Error DispatchReport::wrong_variant() const {
  const std::string package = phone_->package_name();
  const Error error = after_dispatch(
      {errc::operator_variant_mismatch, package + " is not installed on " + job_->result.device_id +
                                            ", only " + alternate_variant(package) + " is"});
  return with_members(
      error, ErrorMembers().text("hint", wrong_variant_hint(package, phone_->advised_name())));
}

ErrorMembers DispatchReport::members() const {
  ErrorMembers members;
  std::vector<std::string> lines;  // which are cut
  for (const std::string& line : collector_->correlated()) {
    lines.push_back(job_->typed.masked_beginning(line));
  }
  members.strings("lastCorrelatedEvents", lines);
  members.text("broadcastDispatchStatus", status());
  members.text("deviceId", job_->result.device_id);
  members.text("operatorPackage", phone_->package_name());
  return members;
}

void DispatchReport::add_log_path(ErrorMembers& details) const {
  if (const auto path = observer_->log_path()) details.text("logPath", *path);
}

namespace {

// What the log contains of an incomplete result.
void add_receipt(const ResultChunks& chunks, ErrorMembers& details) {
  if (!chunks.began()) return;
  details.text("receipt", "partial");
  details.number("receivedRecords", static_cast<std::int64_t>(chunks.received()));
  details.number("expectedRecords", static_cast<std::int64_t>(chunks.count()));
}

}  // namespace

std::optional<std::string> DispatchReport::why_no_result() const {
  if (status() != "sent") return std::nullopt;
  if (collector_->chunks().began()) return unfinished_result_hint();
  if (collector_->is_queued()) return busy_operator_hint(collector_->other_commands());
  if (!collector_->correlated().empty()) return std::nullopt;
  return silent_operator_hint(phone_->package_name(), phone_->advised_name());
}

Error DispatchReport::timed_out(const Execution& plan) const {
  const Action& last = plan.actions.back();
  const auto limit = job_->wait_limit().count();
  ErrorMembers details;
  details.text("commandId", plan.command_id).text("taskId", plan.task_id);
  details.text("dispatchId", job_->dispatch_id);
  if (job_->result.attempts > 1) details.number("attempts", job_->result.attempts);
  details.text("lastActionId", last.id).text("lastActionType", action_name(last.type()));
  details.text("lastActionCaveat", "payload-last only; Android execution position is unknown");
  details.number("elapsedMs", base::micros_since(start_).count() / 1000);
  details.real("timeoutMs", plan.timeout_ms).number("waitLimitMs", limit);
  add_outcome(details);
  add_log_path(details);
  ErrorMembers all = members();
  add_receipt(collector_->chunks(), details);
  if (const auto hint = why_no_result()) all.text("hint", *hint);
  all.object("details", details);
  const std::string message =
      "No [Clawperator-Result] envelope within " + std::to_string(limit) + "ms";
  observer_->write(LogLevel::error, "timeout.fired", message);
  return {errc::result_envelope_timeout, message, all.str()};
}

}  // namespace clawperator
