#include "runtime/act/execution.hpp"

#include <algorithm>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::act {
namespace {

// The limit of a plan is longer than its longest step, as far as the contract allows, so that the
// device can still report a failed wait.
double timeout_of(const OwnExecution& own, std::optional<double> lasts_ms,
                  std::optional<double> given) {
  if (lasts_ms) {
    return std::max({std::min(*lasts_ms + 5000, kMaxTimeoutMs), given.value_or(0), 30000.0});
  }
  return own.manner == Manner::plain ? given.value_or(own.timeout_ms) : own.timeout_ms;
}

void add_look(std::vector<Action>& steps, ThenLook look) {
  if (look.before) steps.insert(steps.begin(), {Snapshot{}, std::string(kBeforeStep)});
  if (look.settle.count() > 0) {
    steps.emplace_back(Sleep{static_cast<double>(look.settle.count())}, "settle");
  }
  steps.emplace_back(Snapshot{}, std::string(kLookStep));
}

void add_settle_time(Execution& execution, ThenLook look) {
  const double longer = execution.timeout_ms + static_cast<double>(look.settle.count());
  execution.timeout_ms = std::min(longer, kMaxTimeoutMs);
}

Result<Execution> judge_rest(Execution execution, std::optional<double> timeout_override,
                             const NamedOperator& operator_package) {
  if (timeout_override) {
    TRY(execution, override_timeout(std::move(execution), *timeout_override));
  }
  TRY_VOID(check_size(execution));
  TRY_VOID(check_operator_is_kept(execution, operator_package));
  return execution;
}

}  // namespace

Result<Execution> execution_of(Action action, const Stamp& stamp, std::optional<double> timeout_ms,
                               const NamedOperator& operator_package, std::optional<ThenLook> then,
                               bool tree_first) {
  const ActionRow& row = row_of(action.type());
  const OwnExecution& own = row.own;
  std::optional<double> lasts_ms;
  if (!row.lasts.empty()) {
    const double* given = param_as<double>(action, row.lasts);
    lasts_ms = given ? *given : 0;
  }
  const bool is_plain = own.manner == Manner::plain;
  Execution execution;
  execution.command_id =
      own.manner == Manner::brief ? stamp.short_id(own.name) : stamp.long_id(own.name);
  execution.task_id = own.task.empty() ? execution.command_id : own.task;
  execution.source = own.source;
  execution.timeout_ms = timeout_of(own, lasts_ms, timeout_ms);
  if (own.manner == Manner::direct) execution.mode = "direct";
  const bool replaces = !is_plain && !lasts_ms;
  if (tree_first) execution.actions.emplace_back(Snapshot{}, std::string(kLookStep));
  action.id = own.step;
  execution.actions.push_back(std::move(action));
  if (then) add_look(execution.actions, *then);
  TRY_VOID(judge_execution(execution));
  TRY(execution,
      judge_rest(std::move(execution), replaces ? timeout_ms : std::nullopt, operator_package));
  if (then) add_settle_time(execution, *then);
  return execution;
}

namespace {

bool needs_no_app(const Action& action) {
  const auto* press = action.as<PressKey>();
  return action.is<OpenApp>() || action.is<OpenUri>() || action.is<CloseApp>() ||
         action.is<Screenshot>() ||
         (press && is_one_of(ascii_lower(trim_js(press->key.value_or(""))), "back home"));
}

// The app never answers for a step with an empty text.
bool needs_shell(const Action& action) {
  const auto* enter = action.as<EnterText>();
  return enter && enter->text == "";
}

}  // namespace

Backend backend_of(const Action& action, std::optional<Backend> named, bool shows_tree) {
  if (named) return *named;
  const bool by_shell = needs_shell(action) || (needs_no_app(action) && !shows_tree);
  return by_shell ? Backend::shell : Backend::operator_app;
}

Result<Execution> judge_payload(std::string_view json, std::optional<double> timeout_ms,
                                const NamedOperator& operator_package,
                                std::optional<ThenLook> then) {
  TRY(auto execution, parse_execution(json));
  if (!then) return judge_rest(std::move(execution), timeout_ms, operator_package);
  add_look(execution.actions, *then);
  TRY_VOID(judge_execution(execution));
  TRY(execution, judge_rest(std::move(execution), timeout_ms, operator_package));
  add_settle_time(execution, *then);
  return execution;
}

}  // namespace clawperator::act
