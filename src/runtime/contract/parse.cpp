#include "runtime/contract/parse.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/aliases.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/rules.hpp"
#include "runtime/contract/schema.hpp"
#include "runtime/contract/secrets.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kFormatHint =
    "'format' was removed from snapshot_ui: a snapshot is always the XML hierarchy. Drop it.";

std::string too_large_text(std::size_t bytes) {
  return "Payload exceeds " + std::to_string(kMaxPayloadBytes) + " bytes (got " +
         std::to_string(bytes) + ")";
}

// id and type appear as the caller wrote them.
void describe_action(const std::string* id, const std::string* type, const Issue& issue,
                     ErrorMembers& details) {
  if (id) details.text("actionId", *id);
  if (type) details.text("actionType", *type);
  if (issue.kind != IssueKind::unrecognized_keys) return;
  details.strings("invalidKeys", issue.keys);
  const bool names_format = std::ranges::find(issue.keys, "format") != issue.keys.end();
  if (names_format && type && find_action(*type) == ActionType::snapshot_ui)
    details.text("hint", kFormatHint);
}

// `describe` adds details of the action with that index.
template <class Describe>
std::unexpected<Error> refuse(const Issues& issues, Describe describe) {
  const Issue& first = issues.first();
  ErrorMembers details;
  details.text("path", first.path.dotted()).text("reason", issues.json());
  if (!first.allowed.empty()) {
    details.text("value", first.value).strings("allowed", first.allowed);
  }
  if (const auto index = first.path.action()) describe(*index, details);
  return fail_with(errc::execution_validation_failed, first.message, details);
}

std::unexpected<Error> refuse(const Json& json, const Issues& issues) {
  return refuse(issues, [&](std::size_t index, ErrorMembers& details) {
    const Json& action = (*find_member(json, "actions"))[index];
    describe_action(string_member(action, "id"), string_member(action, "type"), issues.first(),
                    details);
  });
}

std::unexpected<Error> refuse(const Execution& execution, const Issues& issues) {
  return refuse(issues, [&](std::size_t index, ErrorMembers& details) {
    const Action& action = execution.actions[index];
    const std::string type(action_name(action.type()));
    describe_action(&action.id, &type, issues.first(), details);
  });
}

std::unexpected<Error> refuse_text(const std::string& why) {
  return fail_with(errc::execution_validation_failed, "Invalid JSON content",
                   ErrorMembers().text("path", "").text("reason", why));
}

std::string actions_json(const Execution& execution, bool is_whole) {
  return list_json(execution.actions, [is_whole](const Action& action) {
    JsonObject object;
    object.text("id", action.id).text("type", action_name(action.type()));
    const auto params = is_whole ? whole_params_json(action) : params_json(action);
    if (params) object.json("params", *params);
    return object;
  });
}

std::string execution_json(const Execution& execution, bool is_whole) {
  JsonObject object;
  object.text("commandId", execution.command_id)
      .text("taskId", execution.task_id)
      .text("source", execution.source)
      .text("expectedFormat", kExpectedFormat)
      .real("timeoutMs", execution.timeout_ms)
      .json("actions", actions_json(execution, is_whole));
  if (execution.mode) object.text("mode", *execution.mode);
  return object.str();
}

}  // namespace

Result<Execution> parse_execution(std::string_view text) {
  if (text.size() > kMaxExecutionText)
    return fail(errc::payload_too_large, too_large_text(text.size()));
  auto raw = read_callers_json(text, kMaxExecutionText);
  if (!raw) return refuse_text(masked_fault(raw.error().message(), text));
  const Json json = resolve_aliases(*std::move(raw));
  Issues issues;
  Execution execution = read_execution(json, issues);
  if (!issues.empty()) return refuse(json, issues);
  return execution;
}

Result<void> judge_execution(Execution& execution) {
  Issues issues;
  check_execution(execution, issues);
  if (!issues.empty()) return refuse(execution, issues);
  return {};
}

Result<Execution> override_timeout(Execution execution, double timeout_ms) {
  if (!std::isfinite(timeout_ms))
    return fail(errc::execution_validation_failed, "timeoutMs must be a finite number");
  if (timeout_ms < kMinTimeoutMs || timeout_ms > kMaxTimeoutMs)
    return fail(errc::execution_validation_failed, "timeoutMs must be between 1000 and 120000");
  execution.timeout_ms = timeout_ms;
  return execution;
}

Result<void> check_operator_is_kept(const Execution& execution,
                                    const NamedOperator& operator_package) {
  Issues issues;
  if (!operator_package) return {};
  for (std::size_t i = 0; i < execution.actions.size(); ++i) {
    const auto* close = execution.actions[i].as<CloseApp>();
    if (!close || trim_js(close->application_id.value_or("")) != *operator_package) continue;
    issues.add(IssueKind::custom, IssuePath() / "actions" / i / "params" / "applicationId",
               std::string(action_name(ActionType::close_app)) + std::string(kNotTheOperator));
  }
  if (issues.empty()) return {};
  return refuse(execution, issues);
}

Result<void> check_size(const Execution& execution) {
  const std::size_t id = quote_json(execution.command_id).size();
  const std::size_t bytes = to_json(execution).size() - id + kDispatchIdLength + 2;
  if (bytes > kMaxPayloadBytes) return fail(errc::payload_too_large, too_large_text(bytes));
  return {};
}

std::string to_json(const Execution& execution) { return execution_json(execution, false); }

std::string payload_json(const Execution& execution) { return execution_json(execution, true); }

std::string plan_json(const Execution& execution) {
  return JsonObject()
      .text("commandId", execution.command_id)
      .real("timeoutMs", execution.timeout_ms)
      .number("actionCount", static_cast<std::int64_t>(execution.actions.size()))
      .json("actions", actions_json(execution, true))
      .str();
}

}  // namespace clawperator
