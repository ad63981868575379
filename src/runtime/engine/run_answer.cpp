// What a run makes of the app's answer: its snapshots, a second look where the log lost a part of
// them, and the published envelope.

#include <algorithm>
#include <ranges>

#include "adbproto/link/blocking.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
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
Task<void> Run::collect_snapshots() {
  Envelope envelope = collector_.take_envelope();
  hierarchies_ = pair_snapshots(envelope, collector_.take_hierarchies(), request_.execution);
  result_.envelope = std::move(envelope);
  if (total_size(hierarchies_) <= kHoldsUpLoop) co_return ok();
  co_return co_await run_blocking([this]() -> Result<void> {
    judge_hierarchies(hierarchies_);
    return ok();
  });
}

namespace {

// Steps that change nothing on the phone.
bool only_looks(const Execution& execution) {
  constexpr ActionType kLooks[] = {
      ActionType::snapshot_ui,   ActionType::take_screenshot,     ActionType::read_text,
      ActionType::wait_for_node, ActionType::wait_for_navigation, ActionType::read_key_value_pair,
      ActionType::sleep,         ActionType::doctor_ping};
  return std::ranges::all_of(execution.actions, [&](const Action& action) {
    return std::ranges::find(kLooks, action.type) != std::end(kLooks);
  });
}

}  // namespace

bool Run::may_look_again(const Result<void>& answered) {
  const bool lost = answered ? lost_hierarchies(hierarchies_) : collector_.is_lost();
  if (!lost || result_.attempts > 1 || !only_looks(request_.execution)) return false;
  write_log(LogLevel::warn, "result.lost", "the device's log lost a part of the result");
  ++result_.attempts;
  return true;
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
  show_tree();
  result_.timings.parse += trace_.phase("parse", start);
  co_await screen_answer();
  co_return co_await add_pictures();
}

void Run::show_tree() {
  if (!session_) return;
  for (const StepResult& step : std::views::reverse(result_.envelope.step_results)) {
    const std::string* tree = step.success ? find_data(step.data, "text") : nullptr;
    if (tree && step.action_type == action_name(ActionType::snapshot_ui)) {
      return session_->note_tree(*tree);
    }
  }
}

}  // namespace clawperator
