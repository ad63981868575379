// What a run says when it fails: how far it came, and what may have happened on the device.

#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/run.hpp"

namespace clawperator {

using std::chrono::microseconds;

namespace {

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

// Where nothing is known of it, neither "sent" nor its opposite may be said: an agent that reads
// that a command was not sent sends it again.
std::string Run::broadcast_status() const {
  const bool answered =
      collector_.envelope() || collector_.chunks().began() || collector_.is_lost();
  if (answered || !collector_.correlated().empty()) return "sent";
  if (!dispatch_failure_.empty()) return dispatch_failure_;
  return dispatch_left_ ? "sent" : "unknown";
}

// The outcome on the device is unknown from here on; the caller must not repeat blindly.
Error Run::after_dispatch(const Error& error) const {
  ErrorMembers details;
  details.text("commandId", request_.execution.command_id);
  details.text("taskId", request_.execution.task_id).text("dispatchId", dispatch_id_);
  if (!looking_) details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
  if (result_.attempts > 1) details.number("attempts", result_.attempts);
  add_own_details(details, error);
  add_log_path(details);
  ErrorMembers members = dispatch_members();
  members.object("details", details);
  return {error.code(), error.message(), members.str()};
}

// The broadcast was for a package that is not there: nobody will answer it.
Error Run::wrong_variant() const {
  const std::string other = alternate_variant(package_name());
  const Error error = after_dispatch(
      {errc::operator_variant_mismatch,
       package_name() + " is not installed on " + result_.device_id + ", only " + other + " is"});
  return with_members(
      error, ErrorMembers().text(
                 "hint", wrong_variant_hint(package_name(), advised_name(request_, result_))));
}

ErrorMembers Run::dispatch_members() const {
  ErrorMembers members;
  std::vector<std::string> lines;  // which are cut
  for (const std::string& line : collector_.correlated()) {
    lines.push_back(typed_.masked_beginning(line));
  }
  members.strings("lastCorrelatedEvents", lines);
  members.text("broadcastDispatchStatus", broadcast_status());
  members.text("deviceId", result_.device_id).text("operatorPackage", package_name());
  return members;
}

void Run::add_log_path(ErrorMembers& details) const {
  const auto path = log_ ? log_->path() : std::nullopt;
  if (path) details.text("logPath", *path);
}

namespace {

// What the log has of a result that is not whole.
void add_receipt(const ResultChunks& chunks, ErrorMembers& details) {
  if (!chunks.began()) return;
  details.text("receipt", "partial");
  details.number("receivedRecords", static_cast<std::int64_t>(chunks.received()));
  details.number("expectedRecords", static_cast<std::int64_t>(chunks.count()));
}

}  // namespace

std::optional<std::string> Run::why_no_result() const {
  if (broadcast_status() != "sent") return std::nullopt;
  if (collector_.chunks().began()) return unfinished_result_hint();
  if (collector_.is_queued()) return busy_operator_hint(collector_.other_commands());
  if (!collector_.correlated().empty()) return std::nullopt;
  return silent_operator_hint(package_name(), advised_name(request_, result_));
}

Error Run::timed_out() const {
  const Execution& execution = request_.execution;
  const Action& last = execution.actions.back();
  ErrorMembers details;
  details.text("commandId", execution.command_id).text("taskId", execution.task_id);
  details.text("dispatchId", dispatch_id_);
  if (result_.attempts > 1) details.number("attempts", result_.attempts);
  details.text("lastActionId", last.id).text("lastActionType", action_name(last.type));
  details.text("lastActionCaveat", "payload-last only; Android execution position is unknown");
  const auto elapsed = base::micros_since(dispatch_start_);
  details.number("elapsedMs", elapsed.count() / 1000);
  details.real("timeoutMs", execution.timeout_ms).number("waitLimitMs", wait_limit().count());
  if (!looking_) details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
  add_log_path(details);
  ErrorMembers members = dispatch_members();
  add_receipt(collector_.chunks(), details);
  if (const auto hint = why_no_result()) members.text("hint", *hint);
  members.object("details", details);
  const std::string message =
      "No [Clawperator-Result] envelope within " + std::to_string(wait_limit().count()) + "ms";
  write_log(LogLevel::error, "timeout.fired", message);
  return {errc::result_envelope_timeout, message, members.str()};
}

Error Run::failed(const Error& told) {
  const Error error = typed_.masked(told);
  result_.timings.total = base::micros_since(start_);
  closing_event_written_ = true;
  was_cancelled_ = error.code() == errc::cancelled;
  trace_.end(error.code()->published, result_.device_id);
  if (log_ && log_->enabled(LogLevel::error)) {
    JsonObject members = log_members();
    members.text("status", "failed").text("code", error.code()->published);
    members.number("durationMs", result_.timings.total.count() / 1000);
    members.json("timings", to_json(result_.timings));
    log_->write(LogLevel::error, "execution.failed", error.message(), members);
  }
  if (!request_.timings) return error;
  return with_members(error, ErrorMembers().json("timings", to_json(result_.timings)));
}

}  // namespace clawperator
