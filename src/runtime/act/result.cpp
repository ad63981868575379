#include "runtime/act/result.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/contract/secrets.hpp"
#include "runtime/engine/post_process.hpp"

namespace clawperator::act {
namespace {

// With the clock that measured them: for another process they are that process's phases.
std::string timings_json(const ExecuteResult& result) {
  std::string json = to_json(result.timings);
  if (result.by_daemon) json.replace(json.size() - 1, 1, R"(,"daemon":true})");
  return json;
}

JsonObject data_json(const StepData& data) {
  JsonObject json;
  for (const auto& [name, value] : data) json.text(name, value);
  return json;
}

bool is_snapshot(const StepResult& step) { return step.action_type == "snapshot_ui"; }

std::string steps_json(const std::vector<const StepResult*>& steps) {
  return list_json(steps, [](const StepResult* step) {
    JsonObject json;
    json.text("id", step->id);
    if (!step->success) json.boolean("ok", false);
    write_step(json, *step);
    return json;
  });
}

// True for at most one snapshot and at most one other step: their members have different names,
// also those of a failure.
bool fit_one_object(const std::vector<const StepResult*>& steps) {
  if (!std::ranges::all_of(steps, &StepResult::success)) return false;
  const auto snapshots =
      std::ranges::count_if(steps, [](auto* step) { return is_snapshot(*step); });
  return snapshots <= 1 && std::ssize(steps) - snapshots <= 1;
}

// `more` is the text of an object.
std::string with_members(std::string json, std::string_view more) {
  if (!more.empty()) json.replace(json.size() - 1, 1, "," + std::string(more.substr(1)));
  return json;
}

}  // namespace

void write_step(JsonObject& json, const StepResult& step) {
  if (!is_snapshot(step)) {
    if (!step.data.empty()) json.object("data", data_json(step.data));
    return;
  }
  for (const char* name : {"error", "message", "warn", "since"}) {
    if (const std::string* text = find_data(step.data, name)) json.text(name, *text);
  }
  const std::string* since = find_data(step.data, "since");
  const std::string* tree = find_data(step.data, "text");
  if (tree && !(since && *since == "unchanged")) json.text("tree", *tree);
}

void add_timings(JsonObject& json, const ExecuteResult& result) {
  json.json("timings", timings_json(result));
}

std::string failure_code(const Envelope& envelope) {
  if (is_miss(envelope)) return "NODE_NOT_FOUND";
  if (envelope.error_code) return *envelope.error_code;
  for (const StepResult& step : envelope.step_results) {
    const std::string* code = step.success ? nullptr : find_data(step.data, "error");
    if (code) return *code;
  }
  return "EXECUTION_FAILED";
}

// A picture that the phone's shell could not take fails its step, too; the app went on after it.
const StepResult* ending_step(const Envelope& envelope) {
  const std::string ended_by = failure_code(envelope);
  const bool names_no_cause = !envelope.error_code && !is_miss(envelope);
  const auto found = std::ranges::find_if(envelope.step_results, [&](const StepResult& step) {
    if (step.success) return false;
    if (names_no_cause) return true;
    const std::string* code = code_of(step);
    const std::string* error = find_data(step.data, "error");
    return !code || *code == ended_by || *code == envelope.error_code ||
           (error && *error == envelope.error);
  });
  return found == envelope.step_results.end() ? nullptr : &*found;
}

bool is_awaited_in_vain(const Envelope& envelope) {
  const std::string code = succeeded(envelope) ? "" : failure_code(envelope);
  return code == "NODE_NOT_FOUND" || code == "NAVIGATION_TIMEOUT";
}

std::string failure_message(const Envelope& envelope) {
  for (const StepResult& step : envelope.step_results) {
    const std::string* said = step.success ? nullptr : find_data(step.data, "message");
    if (said) return *said;
  }
  return envelope.error.value_or("the device reported a failure");
}

std::string result_json(const ExecuteResult& result, const Beside& beside) {
  JsonObject wrapper;
  wrapper.json("envelope", to_json(result.envelope))
      .text("deviceId", result.device_id)
      .text("terminalSource", "clawperator_result")
      .boolean("isCanonicalTerminal", true);
  if (result.backend == Backend::shell) wrapper.text("backend", "shell");
  if (result.attempts > 1) wrapper.number("attempts", result.attempts);
  if (beside.timings) add_timings(wrapper, result);
  return with_members(wrapper.str(), beside.more);
}

std::string brief_json(const ExecuteResult& result, const Beside& beside) {
  const Envelope& envelope = result.envelope;
  std::vector<const StepResult*> steps;
  for (const StepResult& step : envelope.step_results) {
    if (!step.success || step.action_type != "sleep") steps.push_back(&step);
  }
  JsonObject json;
  json.boolean("ok", succeeded(envelope));
  const bool warns_twice =
      beside.more.contains(R"("warn":)") && std::ranges::any_of(steps, [](const StepResult* step) {
        return find_data(step->data, "warn") != nullptr;
      });
  if (fit_one_object(steps) && !warns_twice) {
    for (const StepResult* step : steps) write_step(json, *step);
  } else {
    json.json("steps", steps_json(steps));
  }
  if (envelope.error) json.text("error", *envelope.error);
  if (envelope.error_code) json.text("code", *envelope.error_code);
  if (envelope.hint) json.text("hint", *envelope.hint);
  if (result.backend == Backend::shell) json.text("backend", "shell");
  if (result.attempts > 1) json.number("attempts", result.attempts);
  if (beside.timings) add_timings(json, result);
  return with_members(json.str(), beside.more);
}

std::string validated_json(const Execution& execution) {
  return JsonObject()
      .boolean("ok", true)
      .boolean("validated", true)
      .json("execution", payload_json(masked(execution)))
      .str();
}

std::string planned_json(const Execution& execution) {
  return JsonObject()
      .boolean("ok", true)
      .boolean("dryRun", true)
      .json("plan", plan_json(masked(execution)))
      .str();
}

}  // namespace clawperator::act
