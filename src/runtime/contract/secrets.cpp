#include "runtime/contract/secrets.hpp"

#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/text.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator {

void mask(Envelope& envelope, const Secrets& secrets) {
  if (secrets.empty()) return;
  for (StepResult& step : envelope.step_results) {
    for (auto& [name, value] : step.data) {
      value = value.contains("<hierarchy") ? secrets.masked_xml(value) : secrets.masked(value);
    }
  }
  if (envelope.error) envelope.error = secrets.masked(*envelope.error);
}

namespace {

Secrets texts_of(const Execution& execution, bool secret_alone) {
  Secrets texts;
  for (const Action& action : execution.actions) {
    const auto* enter = action.as<EnterText>();
    if (enter && enter->text && (enter->secret || !secret_alone)) texts.add(*enter->text);
  }
  return texts;
}

void mask_payload(Json& value) {
  if (!value.is_structured()) return;
  const Json* secret = find_member(value, "secret");
  const bool is_secret = secret && *secret != false && !secret->is_null();
  for (auto& [name, member] : value.items()) {
    const bool is_text = member.is_string() && is_one_of(name, "text value");
    if (is_secret && is_text) member = kMask;
    mask_payload(member);
  }
}

}  // namespace

Secrets typed_by(const Execution& execution) { return texts_of(execution, false); }

Secrets secrets_of(const Execution& execution) { return texts_of(execution, true); }

void mark_secret(Execution& execution, const Secrets& secrets) {
  for (Action& action : execution.actions) {
    auto* enter = action.as<EnterText>();
    if (enter && enter->text && secrets.has(*enter->text)) enter->secret = true;
  }
}

Execution masked(Execution execution) {
  for (Action& action : execution.actions) {
    auto* enter = action.as<EnterText>();
    if (enter && enter->secret && enter->text) enter->text = kMask;
  }
  return execution;
}

std::string masked_payload(std::string_view json) {
  if (!json.contains(R"("secret")")) return std::string(json);
  auto payload = read_callers_json(json, kMaxExecutionText);
  if (!payload) return "null";
  mask_payload(*payload);
  return write_json(*payload);
}

std::string_view without_quotation(std::string_view fault) {
  return fault.substr(0, fault.find("; last read"));
}

std::string masked_fault(std::string fault, std::string_view payload) {
  if (!payload.contains(R"("secret")")) return fault;
  return std::string(without_quotation(fault));
}

}  // namespace clawperator
