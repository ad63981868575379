#include "simdroid/operator/operator_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simdroid/operator/node_json.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

Json step_json(const StepResult& step) {
  Json json{{"id", step.id}, {"actionType", step.action_type}, {"success", step.success}};
  if (!step.data.empty()) json["data"] = Json::object();
  for (const auto& [key, value] : step.data) json["data"][key] = value;
  return json;
}

}  // namespace

std::string log_tag(LogKind kind, const Capabilities& can) {
  switch (kind) {
    case LogKind::hierarchy: return can.readable_tags ? "TaskScopeDefault" : "E";
    case LogKind::recording: return "RecordingRuntime";
    case LogKind::envelope:
      if (can.pieces) return "ResultEnvelopeTransport";
      break;
    case LogKind::start:
    case LogKind::progress: break;
  }
  return can.readable_tags ? "AgentCommandExecutorDefault" : "o";
}

std::string envelope_line(const OperatorNames& names, const Command& command,
                          const std::vector<StepResult>& steps, const Verdict& verdict) {
  const bool success = verdict.error.empty();
  Json envelope{{"commandId", command.command_id},
                {"taskId", command.task_id},
                {"status", success ? "success" : "failed"},
                {"stepResults", Json::array()}};
  for (const StepResult& step : steps) envelope["stepResults"].push_back(step_json(step));
  envelope["error"] = success ? Json(nullptr) : Json(verdict.error);
  if (!verdict.error_code.empty()) envelope["errorCode"] = verdict.error_code;
  return names.line("Result", json_text(envelope));
}

OperatorRun::OperatorRun(Command command, ActionContext context, const OperatorNames* names,
                         Time received)
    : command_(std::move(command)),
      names_(names),
      can_(context.can),
      facts_(context.facts),
      record_pause_(context.latencies->record_pause.base),
      timeline_(received),
      deadline_(received + command_.timeout),
      runner_([&] {
        context.timeline = &timeline_;
        context.command_id = command_.command_id;
        context.log = [this](LogKind kind, char priority, std::string message) {
          if (kind == LogKind::progress) return progress(priority, message);
          write(kind, priority, std::move(message));
        };
        return std::move(context);
      }()) {}

OperatorRun::~OperatorRun() { timeline_.forget(); }

void OperatorRun::write(LogKind kind, char priority, std::string message) {
  log_.push_back({timeline_.now(), kind, priority, log_tag(kind, *can_), std::move(message),
                  command_.command_id, command_.task_id});
}

// `what` begins with the event's name: start, success, stage-start id=... and so on.
void OperatorRun::progress(char priority, std::string_view what, std::string_view rest,
                           LogKind kind) {
  const std::size_t name = std::min(what.find(' '), what.size());
  std::string message = names_->line("Command", what.substr(0, name));
  message += " commandId=" + command_.command_id + " taskId=" + command_.task_id;
  message += what.substr(name);
  if (!rest.empty()) (message += ' ') += rest;
  write(kind, priority, std::move(message));
}

void OperatorRun::queued() { progress('I', "queued", "waiting_for_active_command=true"); }

void OperatorRun::begin(Time now) {
  begun_ = true;
  timeline_.set_now(now);
  progress('I', "start",
           "source=" + command_.source + " timeoutMs=" + milliseconds_text(command_.timeout) +
               " actionCount=" + std::to_string(command_.actions.size()),
           LogKind::start);
  plan_.emplace(plan());
  plan_->start();
  if (plan_->done()) finish(plan_->result());
}

void OperatorRun::advance(Time now) {
  if (done_) return;
  if (published_until_) {
    done_ = now >= *published_until_;
    return;
  }
  if (plan_) timeline_.run_until(std::min(now, deadline_));
  if (plan_ && plan_->done()) return finish(plan_->result());
  if (now < deadline_) return;
  timeline_.set_now(deadline_);
  timeline_.forget();
  plan_.reset();
  finish(give_up("Agent command timed out after " + milliseconds_text(command_.timeout) + "ms",
                 "COMMAND_TIMEOUT"));
}

Time OperatorRun::wake_at() const {
  if (published_until_) return *published_until_;
  return std::min(deadline_, timeline_.wake_at().value_or(deadline_));
}

Routine<Attempt<bool>> OperatorRun::plan() {
  constexpr auto kForEver = std::chrono::hours(24);
  int number = 0;
  for (const DeviceAction& action : command_.actions) {
    if (++number > 1) co_await timeline_.pause(facts_->step_gap);
    current_ = &action;
    if (number == facts_->hanging_step) co_await timeline_.pause(kForEver);
    auto result = co_await runner_.run(&action);
    if (!result) co_return std::unexpected(std::move(result).error());
    current_ = nullptr;
    results_.push_back(*std::move(result));
  }
  co_return true;
}

void OperatorRun::finish(const Attempt<bool>& outcome) {
  if (outcome) {
    progress('I', "success", "stepCount=" + std::to_string(results_.size()));
    return publish(envelope_line(*names_, command_, results_));
  }
  const Failure& failure = outcome.error();
  progress('E', "failure", "reason=" + failure.reason);
  Verdict verdict{failure.reason, {}};
  if (can_->typed_failures) {
    verdict.error_code = failure.code;
    if (current_ != nullptr) results_.push_back(runner_.thrown(*current_, failure));
  } else {
    results_.clear();
  }
  publish(envelope_line(*names_, command_, results_, verdict));
}

// The next command waits until the last record is written; the timeout cuts none of them off.
void OperatorRun::publish(std::string line) {
  const std::size_t records = can_->pieces ? record_count(line.size()) : 1;
  published_until_ = timeline_.now() + record_pause_ * static_cast<int>(records - 1);
  done_ = records == 1 || record_pause_ == Duration::zero();
  write(LogKind::envelope, 'I', std::move(line));
}

}  // namespace simdroid
