#include "runtime/contract/envelope.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/secrets.hpp"

namespace clawperator {
namespace {

std::string stringified(const Json& value);

// Array.prototype.join: null is the empty string here.
std::string joined(const Json& array) {
  std::string out;
  bool first = true;
  for (const Json& element : array) {
    if (!std::exchange(first, false)) out += ',';
    if (!element.is_null()) out += stringified(element);
  }
  return out;
}

// JavaScript's String(value).
std::string stringified(const Json& value) {
  if (const std::string* text = string_value(&value)) return *text;
  if (value.is_object()) return "[object Object]";
  return value.is_array() ? joined(value) : write_json(value);
}

Result<std::string> required_text(const Json& object, std::string_view name) {
  const std::string* text = string_value(find_member(object, name));
  if (text == nullptr) return malformed_envelope(std::string(name) + " is not a string");
  return *text;
}

// Absence counts as null only for errorCode.
Result<std::optional<std::string>> nullable_text(const Json& object, std::string_view name) {
  const Json* member = find_member(object, name);
  if (member == nullptr || member->is_null()) return std::nullopt;
  TRY(auto text, required_text(object, name));
  return text;
}

Result<EnvelopeStatus> parse_status(const Json& object) {
  TRY(const auto status, required_text(object, "status"));
  if (status == "success") return EnvelopeStatus::success;
  if (status == "failed") return EnvelopeStatus::failed;
  return malformed_envelope("status is neither success nor failed");
}

Result<StepResult> parse_step(const Json& json) {
  StepResult step;
  TRY(step.id, required_text(json, "id"));
  TRY(step.action_type, required_text(json, "actionType"));
  if (step.action_type == "snapshot") step.action_type = "snapshot_ui";
  const Json* success = find_member(json, "success");
  if (success == nullptr || !success->is_boolean())
    return malformed_envelope("success is not a boolean");
  step.success = success->get<bool>();
  const Json* data = find_member(json, "data");
  if (data == nullptr || !data->is_object()) return step;
  for (const auto& [name, value] : data->get_ref<const Json::object_t&>())
    step.data.emplace_back(name, stringified(value));
  return step;
}

Result<std::vector<StepResult>> parse_steps(const Json& object) {
  const Json* list = find_member(object, "stepResults");
  if (list == nullptr || !list->is_array())
    return malformed_envelope("stepResults is not an array");
  std::vector<StepResult> steps;
  for (const Json& json : *list) {
    TRY(auto step, parse_step(json));
    steps.push_back(std::move(step));
  }
  return steps;
}

std::string step_json(const StepResult& step) {
  JsonObject data;
  for (const auto& [name, value] : step.data) data.text(name, value);
  return JsonObject()
      .text("id", step.id)
      .text("actionType", step.action_type)
      .boolean("success", step.success)
      .object("data", data)
      .str();
}

auto find_entry(auto& data, std::string_view key) {
  return std::ranges::find(data, key,
                           [](const auto& entry) -> std::string_view { return entry.first; });
}

}  // namespace

// The text that cannot be read may be a whole screen.
std::unexpected<Error> malformed_envelope(std::string_view why) {
  return fail_with(errc::result_envelope_malformed, "Logcat emitted a malformed JSON envelope",
                   JsonObject().text("reason", without_quotation(why)));
}

std::unexpected<Error> lost_receipt(std::string_view why) {
  return fail(errc::result_envelope_malformed,
              "The Operator app ran the command, but its result is lost: " + std::string(why),
              hint_and_details("Look at the screen before you send the command again.",
                               JsonObject().text("reason", why).text("receipt", "lost")));
}

namespace {

constexpr std::size_t kMaxShown = 128;  // of a text from the device

std::string shown(std::string_view text) { return quote_json(text.substr(0, kMaxShown)); }

std::string step_words(std::string_view id, std::string_view type) {
  return shown(id) + " (" + std::string(type.substr(0, kMaxShown)) + ")";
}

std::unexpected<Error> answer_to_another_plan(const std::string& why) {
  return fail_with(errc::result_envelope_malformed,
                   "The Operator app's answer does not fit the plan: " + why,
                   JsonObject().text("reason", why));
}

std::unexpected<Error> wrong_step(std::size_t at, const Envelope& envelope,
                                  const Execution& execution) {
  std::string why = "step " + std::to_string(at + 1) + " is ";
  if (at < envelope.step_results.size()) {
    const StepResult& step = envelope.step_results[at];
    why += step_words(step.id, step.action_type);
  } else {
    why += "missing";
  }
  if (at < execution.actions.size()) {
    const Action& action = execution.actions[at];
    why += ", the plan has " + step_words(action.id, action_name(action.type()));
  } else {
    why += ", the plan has no such step";
  }
  return answer_to_another_plan(why);
}

}  // namespace

Result<void> match_plan(const Envelope& envelope, const Execution& execution) {
  if (envelope.task_id != execution.task_id) {
    return answer_to_another_plan("its taskId is " + shown(envelope.task_id) + ", not " +
                                  shown(execution.task_id));
  }
  const auto& steps = envelope.step_results;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool fits = i < execution.actions.size() && steps[i].id == execution.actions[i].id &&
                      steps[i].action_type == action_name(execution.actions[i].type());
    if (!fits) return wrong_step(i, envelope, execution);
  }
  const bool is_whole = steps.size() == execution.actions.size();
  if (envelope.status == EnvelopeStatus::success && !is_whole) {
    return wrong_step(steps.size(), envelope, execution);
  }
  return ok();
}

Result<Envelope> parse_envelope(std::string_view text) {
  if (text.size() > kMaxEnvelopeBytes) return malformed_envelope(kTooLongEnvelope);
  auto json = read_json(text, kMaxEnvelopeBytes);
  // The actions have run: text from an app's screen must not cost their result.
  if (!json) json = read_json(repaired_json(text), 3 * kMaxEnvelopeBytes);
  if (!json) return malformed_envelope(json.error().message());
  Envelope envelope;
  TRY(envelope.command_id, required_text(*json, "commandId"));
  TRY(envelope.task_id, required_text(*json, "taskId"));
  TRY(envelope.status, parse_status(*json));
  TRY(envelope.step_results, parse_steps(*json));
  if (find_member(*json, "error") == nullptr) return malformed_envelope("error is absent");
  TRY(envelope.error, nullable_text(*json, "error"));
  TRY(envelope.error_code, nullable_text(*json, "errorCode"));
  return envelope;
}

std::string to_json(const Envelope& envelope) {
  JsonObject object;
  object.text("commandId", envelope.command_id)
      .text("taskId", envelope.task_id)
      .text("status", envelope.status == EnvelopeStatus::success ? "success" : "failed")
      .json("stepResults", list_json(envelope.step_results, step_json));
  envelope.error ? object.text("error", *envelope.error) : object.null("error");
  if (envelope.error_code) object.text("errorCode", *envelope.error_code);
  if (envelope.hint) object.text("hint", *envelope.hint);
  return object.str();
}

bool succeeded(const Envelope& envelope) {
  return envelope.status == EnvelopeStatus::success &&
         std::ranges::all_of(envelope.step_results, &StepResult::success);
}

const std::string* find_data(const StepData& data, std::string_view key) {
  const auto found = find_entry(data, key);
  return found == data.end() ? nullptr : &found->second;
}

void set_data(StepData& data, std::string_view key, std::string value) {
  if (const auto found = find_entry(data, key); found != data.end())
    found->second = std::move(value);
  else
    data.emplace_back(key, std::move(value));
}

std::string take_data(StepData& data, std::string_view key) {
  return std::exchange(find_entry(data, key)->second, {});
}

void erase_data(StepData& data, std::string_view key) {
  std::erase_if(data, [key](const auto& entry) { return entry.first == key; });
}

}  // namespace clawperator
