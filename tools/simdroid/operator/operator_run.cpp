#include "simdroid/operator/operator_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& envelope) {
  return "[Clawperator-Result] " + envelope.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json step_json(const StepResult& step) {
  Json json{{"id", step.id}, {"actionType", step.action_type}, {"success", step.success}};
  if (!step.data.empty()) json["data"] = Json::object();
  for (const auto& [key, value] : step.data) json["data"][key] = value;
  return json;
}

// The obfuscated class name that Timber takes as the tag.
std::string tag_of(LogKind kind) {
  switch (kind) {
    case LogKind::hierarchy: return "E";
    case LogKind::recording: return "RecordingRuntime";
    case LogKind::progress:
    case LogKind::envelope: break;
  }
  return "o";
}

}  // namespace

std::string envelope_line(const Command& command, const std::vector<StepResult>& steps) {
  Json envelope{{"commandId", command.command_id},
                {"taskId", command.task_id},
                {"status", "success"},
                {"stepResults", Json::array()}};
  for (const StepResult& step : steps) envelope["stepResults"].push_back(step_json(step));
  envelope["error"] = nullptr;
  return line_of(envelope);
}

std::string failed_envelope_line(const Command& command, std::string_view error,
                                 std::string_view error_code) {
  Json envelope{{"commandId", command.command_id},
                {"taskId", command.task_id},
                {"status", "failed"},
                {"stepResults", Json::array()},
                {"error", std::string(error)}};
  if (!error_code.empty()) envelope["errorCode"] = std::string(error_code);
  return line_of(envelope);
}

OperatorRun::OperatorRun(Command command, ActionContext context, Time received)
    : command_(std::move(command)),
      timeline_(received),
      deadline_(received + command_.timeout),
      runner_([&] {
        context.timeline = &timeline_;
        context.log = [this](LogKind kind, char priority, std::string message) {
          if (kind == LogKind::progress) return progress(priority, message);
          write(kind, priority, std::move(message));
        };
        return std::move(context);
      }()) {}

OperatorRun::~OperatorRun() { timeline_.forget(); }

void OperatorRun::write(LogKind kind, char priority, std::string message) {
  log_.push_back({timeline_.now(), kind, priority, tag_of(kind), std::move(message),
                  command_.command_id, command_.task_id});
}

// `what` begins with the event's name: start, success, stage-start id=... and so on.
void OperatorRun::progress(char priority, std::string_view what, std::string_view rest) {
  const std::size_t name = std::min(what.find(' '), what.size());
  std::string message = "[Clawperator-Command] ";
  message += what.substr(0, name);
  message += " commandId=" + command_.command_id + " taskId=" + command_.task_id;
  message += what.substr(name);
  if (!rest.empty()) (message += ' ') += rest;
  write(LogKind::progress, priority, std::move(message));
}

void OperatorRun::queued() { progress('I', "queued", "waiting_for_active_command=true"); }

void OperatorRun::begin(Time now) {
  timeline_.set_now(now);
  progress('I', "start",
           "source=" + command_.source + " timeoutMs=" + milliseconds_text(command_.timeout) +
               " actionCount=" + std::to_string(command_.actions.size()));
  plan_.emplace(plan());
  plan_->start();
  if (plan_->done()) finish(plan_->result());
}

void OperatorRun::advance(Time now) {
  if (done_) return;
  if (plan_) timeline_.run_until(std::min(now, deadline_));
  if (plan_ && plan_->done()) return finish(plan_->result());
  if (now < deadline_) return;
  timeline_.set_now(deadline_);
  timeline_.forget();
  plan_.reset();
  finish(give_up("Agent command timed out after " + milliseconds_text(command_.timeout) + "ms"));
}

Time OperatorRun::wake_at() const {
  return std::min(deadline_, timeline_.wake_at().value_or(deadline_));
}

Routine<Attempt<bool>> OperatorRun::plan() {
  for (const DeviceAction& action : command_.actions) {
    auto result = co_await runner_.run(&action);
    if (!result) co_return std::unexpected(std::move(result).error());
    results_.push_back(*std::move(result));
  }
  co_return true;
}

void OperatorRun::finish(const Attempt<bool>& outcome) {
  done_ = true;
  if (outcome) {
    progress('I', "success", "stepCount=" + std::to_string(results_.size()));
    return write(LogKind::envelope, 'I', envelope_line(command_, results_));
  }
  progress('E', "failure", "reason=" + outcome.error().reason);
  write(LogKind::envelope, 'I', failed_envelope_line(command_, outcome.error().reason));
}

}  // namespace simdroid
