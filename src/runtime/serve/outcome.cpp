#include "runtime/serve/outcome.hpp"

#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/json_document.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::serve {
namespace {

constexpr std::size_t kMaxMembers = 1 << 20;

JsonObject& add_device(JsonObject& json, const Outcome& outcome) {
  if (outcome.device_id) return json.text("deviceId", *outcome.device_id);
  return json.null("deviceId");
}

bool was_dispatched(const Json& members) {
  const Json* details = find_member(members, "details");
  const Json* attempted = details ? find_member(*details, "dispatchAttempted") : nullptr;
  return attempted && attempted->is_boolean() && attempted->get<bool>();
}

Envelope failed_envelope(const Error& error, const Json& members, const Execution& execution) {
  Envelope envelope;
  envelope.command_id = execution.command_id;
  envelope.task_id = execution.task_id;
  envelope.error = error_row(error.code()).published;
  if (const std::string* hint = string_value(find_member(members, "hint"))) envelope.hint = *hint;
  return envelope;
}

}  // namespace

int http_status(const Outcome& outcome) {
  const auto& result = *outcome.result;
  return result ? 200 : error_row(result.error().code()).http_status;
}

std::string outcome_json(const Outcome& outcome) {
  const auto& result = *outcome.result;
  JsonObject json;
  json.boolean("ok", result.has_value());
  if (result) {
    json.json("envelope", outcome.envelope).text("deviceId", result->device_id);
    json.text("terminalSource", "clawperator_result");
    if (result->backend == Backend::shell) json.text("backend", "shell");
    return json.append(outcome.more).str();
  }
  json.json("error", to_json(result.error()));
  if (outcome.device_id) json.text("deviceId", *outcome.device_id);
  return json.str();
}

std::optional<std::string> result_event(const Outcome& outcome, const Execution& execution) {
  const auto& result = *outcome.result;
  JsonObject json;
  add_device(json, outcome);
  if (result) return json.json("envelope", outcome.envelope).str();
  const auto members = read_json(result.error().members(), kMaxMembers);
  if (!members || !was_dispatched(*members)) return std::nullopt;
  return json.json("envelope", to_json(failed_envelope(result.error(), *members, execution))).str();
}

std::string execution_event(const Outcome& outcome, const std::string& input,
                            const std::string& result) {
  JsonObject json;
  return add_device(json, outcome).json("input", input).json("result", result).str();
}

Told tell(const Result<ExecuteResult>& result, std::optional<std::string> device_id,
          const Execution* execution, const std::string& input, JsonObject more) {
  Outcome outcome{.result = &result, .device_id = std::move(device_id)};
  outcome.more = std::move(more);
  Told told{.status = http_status(outcome),
            .answer = outcome_json(outcome),
            .result = execution ? result_event(outcome, *execution) : std::nullopt,
            .execution = {}};
  told.execution = execution_event(outcome, input, told.answer);
  return told;
}

}  // namespace clawperator::serve
