#include "cli/draft.hpp"

#include <cmath>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/contract/parse.hpp"

namespace clawperator::cli {

std::string single_action(const ExecutionHead& head, std::string_view id, std::string_view type,
                          std::string_view params) {
  JsonObject action;
  action.text("id", id).text("type", type);
  if (!params.empty()) action.json("params", params);
  JsonObject execution;
  execution.text("commandId", head.command_id)
      .text("taskId", head.task_id)
      .text("source", head.source)
      .text("expectedFormat", "android-ui-automator")
      .real("timeoutMs", head.timeout_ms)
      .json("actions", "[" + action.str() + "]");
  if (head.direct) execution.text("mode", "direct");
  return execution.str();
}

Result<Execution> judge(const Draft& draft) {
  TRY(auto execution, parse_execution(draft.json));
  if (draft.timeout_override) {
    TRY(execution, override_timeout(std::move(execution), *draft.timeout_override));
  }
  TRY_VOID(check_size(execution));
  return execution;
}

Result<double> finite_timeout_or(const Globals& globals, double otherwise) {
  const double timeout = globals.timeout_ms.value_or(otherwise);
  if (!std::isfinite(timeout)) return validation_error("timeoutMs must be a finite number");
  return timeout;
}

std::unexpected<Error> validation_error(std::string message) {
  return fail(errc::execution_validation_failed, std::move(message));
}

}  // namespace clawperator::cli
