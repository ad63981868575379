#include "runtime/serve/outcome.hpp"

#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/json_document.hpp"
#include "runtime/act/result.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::serve {
namespace {

// This program writes the members itself; a list of issues has some tens of KiB.
constexpr std::size_t kMaxMembers = 1 << 20;

JsonObject of_device(const std::optional<std::string>& device_id) {
  JsonObject json;
  return device_id ? json.text("deviceId", *device_id) : json.null("deviceId");
}

bool was_dispatched(const Json& members) {
  const Json* details = find_member(members, "details");
  const Json* attempted = details ? find_member(*details, "dispatchAttempted") : nullptr;
  return attempted && attempted->is_boolean() && attempted->get<bool>();
}

std::optional<std::string> failed_envelope(const Error& error, const Execution& execution) {
  const auto members = read_json(error.members(), kMaxMembers);
  if (!members || !was_dispatched(*members)) return std::nullopt;
  Envelope envelope;
  envelope.command_id = execution.command_id;
  envelope.task_id = execution.task_id;
  envelope.error = error.code()->published;
  if (const std::string* hint = string_value(find_member(*members, "hint")))
    envelope.hint = restated(*hint, Reader::http);
  return to_json(envelope);
}

// Where a plan failed, and why: {"step","code"}; null where the app names no step.
JsonObject failed_json(const Envelope& envelope) {
  const StepResult* step = act::ending_step(envelope);
  JsonObject json;
  step ? json.text("step", step->id) : json.null("step");
  return json.text("code", act::failure_code(envelope));
}

}  // namespace

std::string published_execution(Execution execution, const Result<ExecuteResult>& result) {
  if (result) mark_secret(execution, result->secrets);
  return to_json(masked(std::move(execution)));
}

OutcomeReport report_of(const Result<ExecuteResult>& result,
                        const std::optional<std::string>& device_id, const Execution* execution,
                        const std::string& input, const JsonObject& more) {
  OutcomeReport report;
  JsonObject answer;
  answer.boolean("ok", result.has_value());
  std::optional<std::string> envelope;  // written once: a snapshot's is large
  if (result) {
    Envelope published = result->envelope;
    if (published.hint) published.hint = restated(*published.hint, Reader::http);
    envelope = to_json(published);
    answer.json("envelope", *envelope).text("deviceId", result->device_id);
    if (!succeeded(published)) answer.object("failed", failed_json(published));
    answer.text("terminalSource", "clawperator_result");
    if (result->backend == Backend::shell) answer.text("backend", "shell");
    if (result->attempts > 1) answer.number("attempts", result->attempts);
  } else {
    report.status = result.error().code()->http_status;
    answer.json("error", to_json(restated(result.error(), Reader::http)));
    if (device_id) answer.text("deviceId", *device_id);
    if (execution) envelope = failed_envelope(result.error(), *execution);
  }
  report.answer = answer.str();
  const std::string beside = result && !more.empty() ? result->secrets.masked_json(more.str()) : "";
  if (!beside.empty()) report.answer.replace(report.answer.size() - 1, 1, "," + beside.substr(1));
  if (execution && envelope) report.result = of_device(device_id).json("envelope", *envelope).str();
  report.execution = of_device(device_id).json("input", input).json("result", report.answer).str();
  return report;
}

}  // namespace clawperator::serve
