#include "runtime/contract/parse.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_document.hpp"
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

ActionType type_of(const Json& action) {
  return find_action(*string_value(find_member(action, "type"))).value_or(ActionType::snapshot_ui);
}

// The members of `object` that `names` lists, in their order.
template <class Names>
JsonObject picked(const Json& object, const Names& names) {
  JsonObject out;
  for (const std::string_view name : names)
    if (const Json* member = find_member(object, name)) out.json(name, write_json(*member));
  return out;
}

std::string canonical_param(const ParamRow& row, const Json& value) {
  if (row.kind == ParamKind::matcher) return picked(value, matcher_fields()).str();
  if (row.kind == ParamKind::coordinate)
    return picked(value, std::initializer_list<std::string_view>{"x", "y"}).str();
  if (row.is_trimmed) return quote_json(trim_js(*string_value(&value)));
  return write_json(value);
}

std::string canonical_params(const Json& params) {
  JsonObject out;
  for (const ParamRow& row : param_table()) {
    const Json* member = row.is_ours ? nullptr : find_member(params, row.name);
    if (member) out.json(row.name, canonical_param(row, *member));
  }
  return out.str();
}

std::optional<std::string> text_member(const Json& object, std::string_view name) {
  const std::string* text = string_value(find_member(object, name));
  return text == nullptr ? std::nullopt : std::optional(*text);
}

Action to_action(const Json& json) {
  Action action;
  action.id = *string_value(find_member(json, "id"));
  action.type = type_of(json);
  const Json* params = find_member(json, "params");
  if (params == nullptr) return action;
  action.params = canonical_params(*params);
  action.application_id = text_member(*params, "applicationId");
  action.path = text_member(*params, "path");
  action.text = text_member(*params, "text");
  action.is_secret = action.type == ActionType::enter_text && is_true_member(*params, "secret");
  return action;
}

Execution to_execution(const Json& json) {
  Execution execution;
  execution.command_id = *string_value(find_member(json, "commandId"));
  execution.task_id = *string_value(find_member(json, "taskId"));
  execution.source = *string_value(find_member(json, "source"));
  execution.timeout_ms = find_member(json, "timeoutMs")->get<double>();
  execution.mode = text_member(json, "mode");
  for (const Json& action : *find_member(json, "actions"))
    execution.actions.push_back(to_action(action));
  return execution;
}

void check_all_rules(const Json& json, Issues& issues) {
  const Json& actions = *find_member(json, "actions");
  for (std::size_t i = 0; i < actions.size(); ++i)
    if (const auto type = find_action(*string_value(find_member(actions[i], "type"))))
      check_rules(*type, actions[i], IssuePath() / "actions" / i, issues);
}

// id and type are repeated as the caller wrote them.
void describe_action(const Json& json, const Issue& issue, ErrorMembers& details) {
  const Json* actions = find_member(json, "actions");
  const auto index = issue.path.action();
  if (!index || actions == nullptr) return;
  const Json& action = (*actions)[*index];
  const std::string* type = string_value(find_member(action, "type"));
  if (const std::string* id = string_value(find_member(action, "id")))
    details.text("actionId", *id);
  if (type != nullptr) details.text("actionType", *type);
  if (issue.kind != IssueKind::unrecognized_keys) return;
  details.strings("invalidKeys", issue.keys);
  const bool names_format = std::ranges::find(issue.keys, "format") != issue.keys.end();
  if (names_format && type != nullptr && find_action(*type) == ActionType::snapshot_ui)
    details.text("hint", kFormatHint);
}

std::unexpected<Error> refuse(const Json& json, const Issues& issues) {
  ErrorMembers details;
  details.text("path", issues.first().path.dotted()).text("reason", issues.json());
  if (!issues.first().allowed.empty()) {
    details.text("value", issues.first().value).strings("allowed", issues.first().allowed);
  }
  describe_action(json, issues.first(), details);
  return fail_with(errc::execution_validation_failed, issues.first().message, details);
}

std::unexpected<Error> refuse_text(const std::string& why) {
  return fail_with(errc::execution_validation_failed, "Invalid JSON content",
                   ErrorMembers().text("path", "").text("reason", why));
}

// An action that is secret has a text.
std::string whole_params(const Action& action) {
  std::string params = *action.params;
  if (action.is_secret) params.replace(params.size() - 1, 1, R"(,"secret":true})");
  return params;
}

std::string actions_json(const Execution& execution, bool with_ours) {
  return list_json(execution.actions, [with_ours](const Action& action) {
    JsonObject object;
    object.text("id", action.id).text("type", action_name(action.type));
    if (action.params) object.json("params", with_ours ? whole_params(action) : *action.params);
    return object;
  });
}

std::string execution_json(const Execution& execution, bool with_ours) {
  JsonObject object;
  object.text("commandId", execution.command_id)
      .text("taskId", execution.task_id)
      .text("source", execution.source)
      .text("expectedFormat", kExpectedFormat)
      .real("timeoutMs", execution.timeout_ms)
      .json("actions", actions_json(execution, with_ours));
  if (execution.mode) object.text("mode", *execution.mode);
  return object.str();
}

}  // namespace

Result<Execution> parse_execution(std::string_view text) {
  if (text.size() > kMaxExecutionText)
    return fail(errc::payload_too_large, too_large_text(text.size()));
  auto raw = read_json(text, kMaxExecutionText);
  if (!raw) return refuse_text(fault_told(raw.error().message(), text));
  return judge_execution(*std::move(raw));
}

Result<Execution> judge_execution(Json document) {
  const Json json = resolve_aliases(std::move(document));
  Issues issues;
  if (check_schema(json, issues) == Verdict::usable) check_all_rules(json, issues);
  if (!issues.empty()) return refuse(json, issues);
  return to_execution(json);
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
    const Action& action = execution.actions[i];
    if (action.type != ActionType::close_app || !action.application_id) continue;
    if (trim_js(*action.application_id) != *operator_package) continue;
    issues.add(IssueKind::custom, IssuePath() / "actions" / i / "params" / "applicationId",
               std::string(action_name(action.type)) + std::string(kNotTheOperator));
  }
  if (issues.empty()) return {};
  TRY(const Json json, read_json(to_json(execution), kMaxExecutionText));
  return refuse(json, issues);
}

Result<void> check_size(const Execution& execution) {
  Execution dispatched = execution;
  dispatched.command_id.assign(kDispatchIdLength, 'd');
  const std::size_t bytes = to_json(dispatched).size();
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
