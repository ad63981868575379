#include "runtime/engine/answer.hpp"

#include <algorithm>
#include <ranges>

#include "base/async/blocking.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/password_fields.hpp"

namespace clawperator {

namespace {

// The order of a plan's trees shows which password fields they show before, and which after a
// typing.
void mark_seen_passwords(Execution& execution, const Envelope& envelope) {
  for (const StepResult& step : envelope.step_results) {
    const std::string* tree = step.success ? find_data(step.data, "text") : nullptr;
    if (!tree || step.action_type != action_name(ActionType::snapshot_ui)) continue;
    mark_passwords(execution, *tree, SeenWhen::after);
  }
}

// The app repeats the typed text in its answer, trimmed or unchanged.
void mask_own_texts(Envelope& envelope, const Execution& execution) {
  for (StepResult& step : envelope.step_results) {
    const auto action = std::ranges::find(execution.actions, step.id, &Action::id);
    const auto* enter = action == execution.actions.end() ? nullptr : action->as<EnterText>();
    if (enter && enter->secret && find_data(step.data, "text"))
      set_data(step.data, "text", std::string(kMask));
  }
}

void hide_secrets(ExecuteResult& result, Execution execution, Secrets secrets) {
  mark_secret(execution, secrets);
  mark_seen_passwords(execution, result.envelope);
  secrets.add(secrets_of(execution));
  mask(result.envelope, secrets);
  mask_own_texts(result.envelope, execution);
  result.secrets = std::move(secrets);
}

}  // namespace

Task<void> show_tree(ExecutionJob* job, DeviceSession* session) {
  if (!job->typed.empty()) {
    CO_TRY_VOID(co_await run_blocking_if(is_large(job->result.envelope), [job]() -> Result<void> {
      hide_secrets(job->result, job->request.execution, job->secrets);
      return ok();
    }));
  }
  if (!session) co_return ok();
  for (const StepResult& step : std::views::reverse(job->result.envelope.step_results)) {
    const std::string* tree = step.success ? find_data(step.data, "text") : nullptr;
    if (!tree || step.action_type != action_name(ActionType::snapshot_ui)) continue;
    session->note_tree(*tree);
    break;
  }
  co_return ok();
}

}  // namespace clawperator
