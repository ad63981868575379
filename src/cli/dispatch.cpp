#include "cli/dispatch.hpp"

#include <algorithm>

#include "cli/output.hpp"
#include "cli/pretty/people.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::cli {
namespace {

Task<ExecuteResult> run_engine(EventLog* log, ExecuteRequest request) {
  Engine engine(log);
  co_return co_await engine.execute(std::move(request));
}

bool succeeded(const Envelope& envelope) {
  return envelope.status == EnvelopeStatus::success &&
         std::ranges::all_of(envelope.step_results, &StepResult::success);
}

// What the route cannot know is left out: through a server the link is the server's affair.
std::string route_json(const ExecuteResult& result) {
  JsonObject json;
  json.text("transport", result.route).text("serial", result.device_id);
  const adbproto::RouteFacts& facts = result.route_facts;
  if (facts.max_payload == 0) return json.str();
  json.boolean("tls", facts.tls).boolean("delayedAck", facts.delayed_ack);
  if (facts.rtt) json.number("rttMicros", facts.rtt->count());
  return json.number("maxPayload", facts.max_payload).str();
}

}  // namespace

Result<Execution> judge_for(const Invocation& invocation, const Draft& draft) {
  TRY(auto execution, judge(draft));
  TRY_VOID(check_operator_is_kept(execution, operator_package(invocation.globals)));
  return execution;
}

ExecuteRequest request_for(const Invocation& invocation, Execution execution) {
  ExecuteRequest request;
  request.execution = std::move(execution);
  request.target = invocation.globals.target;
  request.operator_package = operator_package(invocation.globals);
  request.broadcast_action = broadcast_action(invocation.globals);
  request.lock_patience = invocation.globals.lock_patience;
  request.timings = invocation.globals.timings;
  return request;
}

Result<ExecuteResult> dispatch(const Invocation& invocation, ExecuteRequest request) {
  EventLog log(log_options(invocation.globals));
  request.on_warning = [](std::string_view warning) {
    print_warning("[clawperator] WARN: " + std::string(warning));
  };
  return run_task(run_engine(&log, std::move(request)));
}

Answer answer_for(const Invocation& invocation, const ExecuteResult& result,
                  std::string_view more) {
  JsonObject wrapper;
  wrapper.json("envelope", to_json(result.envelope))
      .text("deviceId", result.device_id)
      .text("terminalSource", "clawperator_result")
      .boolean("isCanonicalTerminal", true);
  if (invocation.globals.timings) wrapper.json("timings", to_json(result.timings));
  if (invocation.globals.route) wrapper.json("route", route_json(result));
  Answer answer;
  answer.json = wrapper.str();
  if (!more.empty())
    answer.json.replace(answer.json.size() - 1, 1, "," + std::string(more.substr(1)));
  answer.exit_code = succeeded(result.envelope) ? 0 : 1;
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = envelope_for_people(result.envelope, result.device_id);
    if (!more.empty()) answer.text += indent_json(more) + "\n";
    if (invocation.globals.timings) answer.text += timings_for_people(result.timings);
    if (invocation.globals.route) answer.text += "route: " + result.route + "\n";
  }
  return answer;
}

Answer validated_answer(const Execution& execution) {
  JsonObject wrapper;
  wrapper.boolean("ok", true).boolean("validated", true).json("execution", to_json(execution));
  return {wrapper.str(), {}, {}, 0};
}

Answer planned_answer(const Execution& execution) {
  JsonObject wrapper;
  wrapper.boolean("ok", true).boolean("dryRun", true).json("plan", plan_json(execution));
  return {wrapper.str(), {}, {}, 0};
}

Result<Answer> run_draft(const Invocation& invocation, const Draft& draft) {
  TRY(auto execution, judge_for(invocation, draft));
  if (invocation.arguments.has("--dry-run")) return planned_answer(execution);
  if (invocation.arguments.has("--validate-only")) return validated_answer(execution);
  TRY(const ExecuteResult result,
      dispatch(invocation, request_for(invocation, std::move(execution))));
  return answer_for(invocation, result);
}

}  // namespace clawperator::cli
