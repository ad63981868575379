#include "runtime/engine/verify.hpp"

#include <algorithm>
#include <ranges>

#include "runtime/contract/action_table.hpp"

namespace clawperator {
namespace {

// The actions that do not change the screen. That is more than ActionRow::only_looks, which means
// that an action changes nothing on the phone and may be sent again: a recording changes the app,
// but not the screen. doctor_ping is in no plan of a caller.
constexpr std::array kLooking = {
    ActionType::snapshot_ui,         ActionType::take_screenshot, ActionType::sleep,
    ActionType::wait_for_node,       ActionType::read_text,       ActionType::read_key_value_pair,
    ActionType::wait_for_navigation, ActionType::start_recording, ActionType::stop_recording};

bool may_change_screen(const StepResult& step) {
  return std::ranges::none_of(
      kLooking, [&](ActionType type) { return step.action_type == action_name(type); });
}

bool has_tree(const StepResult& step) {
  return step.success && step.action_type == action_name(ActionType::snapshot_ui) &&
         find_data(step.data, "text");
}

bool acts(const Action& action) {
  return std::ranges::find(kLooking, action.type()) == kLooking.end();
}

bool is_snapshot(const Action& action) { return action.type() == ActionType::snapshot_ui; }

}  // namespace

bool plans_surrounding_snapshots(const Execution& execution) {
  const auto& actions = execution.actions;
  const bool closes = std::ranges::any_of(
      actions, [](const Action& action) { return action.type() == ActionType::close_app; });
  if (closes) return false;
  const auto first = std::ranges::find_if(actions, acts);
  const auto last = std::ranges::find_if(actions | std::views::reverse, acts);
  return first != actions.end() && std::any_of(actions.begin(), first, is_snapshot) &&
         std::any_of(actions.rbegin(), last, is_snapshot);
}

std::optional<Verify::What> read_verify(std::string_view word) {
  if (word == "changed") return Verify::What::changed;
  return word == "settled" ? std::optional(Verify::What::settled) : std::nullopt;
}

std::optional<SnapshotPair> surrounding_snapshots(const Envelope& envelope) {
  const auto& steps = envelope.step_results;
  const auto first_change = std::ranges::find_if(steps, may_change_screen);
  if (first_change == steps.end()) return std::nullopt;
  const bool closes = std::ranges::any_of(steps, [](const StepResult& step) {
    return step.action_type == action_name(ActionType::close_app);
  });
  if (closes) return std::nullopt;
  SnapshotPair pair{};
  for (auto step = steps.begin(); step != first_change; ++step) {
    if (has_tree(*step)) pair.before = &*step;
  }
  for (const StepResult& step : steps | std::views::reverse) {
    if (may_change_screen(step)) break;
    if (has_tree(step)) {
      pair.after = &step;
      break;
    }
  }
  return pair.before && pair.after ? std::optional(pair) : std::nullopt;
}

}  // namespace clawperator
