// What a run makes of the app's answer: its snapshots, and the published envelope.

#include <algorithm>
#include <ranges>

#include "base/async/blocking.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/engine/password_fields.hpp"
#include "runtime/engine/run.hpp"

namespace clawperator {

namespace {

std::size_t total_size(const std::vector<Hierarchy>& hierarchies) {
  std::size_t size = 0;
  for (const Hierarchy& hierarchy : hierarchies) size += hierarchy.text.size();
  return size;
}

}  // namespace

// A step without its hierarchy will say so.
asio::awaitable<DispatchEvent> Run::collect_snapshots() {
  Envelope envelope = collector_.take_envelope();
  hierarchies_ = pair_snapshots(envelope, collector_.take_hierarchies(), request_.execution);
  result_.envelope = std::move(envelope);
  if (binds_) hide_container(result_.envelope, request_.execution);
  const auto judged =
      co_await run_blocking_if(total_size(hierarchies_) > kHoldsUpLoop, [this]() -> Result<void> {
        judge_hierarchies(hierarchies_);
        return ok();
      });
  if (!judged) co_return DispatchEvent::cancelled;
  const bool lost = lost_hierarchies(hierarchies_);
  co_return lost ? DispatchEvent::snapshots_lost : DispatchEvent::snapshots_read;
}

Task<ExecuteResult> Run::post_process() {
  const auto start = Clock::now();
  result_.envelope.command_id = request_.execution.command_id;
  take_over_host_steps(result_.envelope, request_.execution);
  settle_closed_apps(result_.envelope, request_.execution);
  warn(attach_snapshots(result_.envelope, request_.execution, std::move(hierarchies_)));
  // Ours waited behind another command until its own time was over.
  Envelope& envelope = result_.envelope;
  const bool timed_out = envelope.status == EnvelopeStatus::failed && envelope.step_results.empty();
  if (timed_out && collector_.is_queued()) {
    envelope.hint = busy_operator_hint(collector_.other_commands());
  }
  CO_TRY_VOID(co_await show_tree());
  result_.timings.parse += trace_.phase("parse", start);
  while (!screen_answered_) co_await answered_->wait();
  co_return co_await add_pictures();
}

namespace {

// The trees of a plan, in its order, tell which of the fields before and after them are which.
void mark_seen_passwords(Execution& execution, const Envelope& envelope) {
  for (const StepResult& step : envelope.step_results) {
    const std::string* tree = step.success ? find_data(step.data, "text") : nullptr;
    if (!tree || step.action_type != action_name(ActionType::snapshot_ui)) continue;
    mark_passwords(execution, *tree, SeenWhen::after);
  }
}

// The app echoes what it was given, trimmed or not.
void mask_own_texts(Envelope& envelope, const Execution& execution) {
  for (StepResult& step : envelope.step_results) {
    const auto action = std::ranges::find(execution.actions, step.id, &Action::id);
    const bool is_secret = action != execution.actions.end() && action->is_secret;
    if (is_secret && find_data(step.data, "text")) set_data(step.data, "text", std::string(kMask));
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

Task<void> Run::show_tree() {
  if (!typed_.empty()) {
    CO_TRY_VOID(co_await run_blocking_if(is_large(result_.envelope), [this]() -> Result<void> {
      hide_secrets(result_, request_.execution, secrets_);
      return ok();
    }));
  }
  if (!session_) co_return ok();
  for (const StepResult& step : std::views::reverse(result_.envelope.step_results)) {
    const std::string* tree = step.success ? find_data(step.data, "text") : nullptr;
    if (!tree || step.action_type != action_name(ActionType::snapshot_ui)) continue;
    session_->note_tree(*tree);
    break;
  }
  co_return ok();
}

}  // namespace clawperator
