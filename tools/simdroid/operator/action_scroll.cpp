// Actions that scroll: once, until something happens, or until a node can be clicked.
#include "simdroid/operator/action_runner.hpp"

#include <cctype>

namespace simdroid {
namespace {

std::string capitalised(std::string_view word) {
  std::string out(word);
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

const View* first_scrollable(const View& below) {
  return find_view(below, [](const View& view) { return view.scrollable; });
}

}  // namespace

// The node to scroll: the matched one, else its first scrollable descendant, else the first on
// screen. The reason of a failure is the step's error code.
Attempt<const View*> ActionRunner::container_of(const DeviceAction& action) const {
  const View& root = tree();
  if (!action.container.given()) {
    const View* found = first_scrollable(root);
    if (found == nullptr) return give_up("CONTAINER_NOT_FOUND");
    return found;
  }
  const auto found = all_matches(root, action.container);
  if (found.empty()) return give_up("CONTAINER_NOT_FOUND");
  if (action.strict && found.size() > 1) {
    return strict_failure("CONTAINER_AMBIGUOUS", "Several containers match", found);
  }
  const View* scope = found.front();
  if (scope->scrollable) return scope;
  const View* inner = action.find_first_scrollable_child ? first_scrollable(*scope) : nullptr;
  if (inner == nullptr) return give_up("CONTAINER_NOT_SCROLLABLE");
  return inner;
}

// Since 0.10 only what lies in the container counts.
std::vector<const View*> ActionRunner::scroll_targets(const DeviceAction& action) const {
  if (!action.matcher.given()) return {};
  if (!c_.can->strict_matchers || !action.container.given()) {
    return all_matches(tree(), action.matcher);
  }
  const auto containers = all_matches(tree(), action.container);
  if (containers.empty()) return {};
  return all_matches(tree(), action.matcher, containers.front());
}

Attempt<ActionRunner::ScrollOnce> ActionRunner::scroll_once(const DeviceAction& action) {
  const auto container = container_of(action);
  if (!container) return std::unexpected(container.error());
  ScrollOnce once;
  once.container = (*container)->spec->resource_id;
  if (action.kind == ActionKind::scroll) {
    receipt_.candidates = 1;
    aims_at(**container);
  }
  once.gesture_failed = !c_.facts->gestures_work;
  dispatched("coordinate_gesture", !once.gesture_failed);
  if (!once.gesture_failed) {
    const int number = (*container)->spec->number;
    once.outcome = c_.world->scroll(number, action.direction, action.distance_ratio);
  }
  return once;
}

const char* ActionRunner::outcome_name(const ScrollOnce& once) const {
  if (once.gesture_failed) return "gesture_failed";
  if (c_.can->receipts && !c_.facts->scrolls_comparable) return "unknown";
  if (once.outcome == Scrolled::moved) return "moved";
  return c_.can->receipts ? "no_movement" : "edge_reached";
}

Routine<Outcome> ActionRunner::scroll(const DeviceAction* action) {
  ScrollOnce once;
  std::string before;
  const auto scrolled = co_await with_retry(
      &action->retry, "scrollOnce", [this, action, &once, &before]() -> Attempt<std::string> {
        before = signature();
        auto result = scroll_once(*action);
        if (!result) return std::unexpected(result.error());
        once = *std::move(result);
        return "";
      });
  const std::string direction(direction_name(action->direction));
  if (!scrolled && scrolled.error().returned) co_return std::unexpected(scrolled.error());
  if (!scrolled) {
    co_return failed_step(
        *action, scrolled.error().reason,
        {{"direction", direction}, {"settle_delay_ms", milliseconds_text(action->settle_delay)}});
  }
  co_await cost(c_.latencies->action);
  if (!once.gesture_failed) co_await pause(action->settle_delay);
  const bool lost = c_.can->receipts && !once.gesture_failed && !container_of(*action);
  if (c_.can->receipts) receipt_.progress = progress_json(before);
  StepData data{{"scroll_outcome", lost ? "container_lost" : outcome_name(once)},
                {"direction", direction},
                {"distance_ratio", decimal(action->distance_ratio)},
                {"settle_delay_ms", milliseconds_text(action->settle_delay)}};
  if (!once.container.empty()) data.emplace_back("resolved_container", once.container);
  if (lost) co_return failed_step(*action, "CONTAINER_LOST", std::move(data));
  if (once.gesture_failed) co_return failed_step(*action, "GESTURE_FAILED", std::move(data));
  co_return succeeded(*action, std::move(data));
}

Routine<ActionRunner::ScrollLoop> ActionRunner::scroll_loop(const DeviceAction* action,
                                                            int max_scrolls,
                                                            Duration max_duration) {
  ScrollLoop loop;
  const auto ended = [&loop](std::string why) {
    loop.termination = std::move(why);
    return loop;
  };
  const Time start = c_.timeline->now();
  for (int unmoved = 0;;) {
    co_await cost(c_.latencies->accessibility);
    c_.world->advance(c_.timeline->now());
    const auto container = container_of(*action);
    if (!container && container.error().returned) co_return ended(container.error().code);
    const auto found = scroll_targets(*action);
    if (!found.empty()) {
      receipt_.candidates = found.size();
      aims_at(*found.front());
      co_return ended("TARGET_FOUND");
    }
    if (!container) co_return ended(loop.scrolls > 0 ? "CONTAINER_LOST" : container.error().reason);
    loop.container = (*container)->spec->resource_id;
    if (c_.timeline->now() - start >= max_duration) co_return ended("MAX_DURATION_REACHED");
    if (loop.scrolls >= max_scrolls) co_return ended("MAX_SCROLLS_REACHED");
    const auto once = scroll_once(*action);
    ++loop.scrolls;
    co_await cost(c_.latencies->action);
    co_await pause(action->settle_delay);
    const bool moved = once && !once->gesture_failed && once->outcome == Scrolled::moved;
    if (once && !once->gesture_failed && !moved) co_return ended("EDGE_REACHED");
    unmoved = moved ? 0 : unmoved + 1;
    if (unmoved >= action->no_position_change_threshold) co_return ended("NO_POSITION_CHANGE");
  }
}

Routine<Outcome> ActionRunner::scroll_until(const DeviceAction* action) {
  const ScrollLoop loop = co_await scroll_loop(action, action->max_scrolls, action->max_duration);
  const bool found = loop.termination == "TARGET_FOUND";
  if (found && action->strict && receipt_.candidates > 1) {
    co_return strict_failure("NODE_AMBIGUOUS", "Several nodes match", scroll_targets(*action));
  }
  if (found && action->click_after) {
    const auto clicked = co_await with_retry(&action->click_retry, "clickScrollTarget",
                                             [this, action] { return click_once(*action); });
    if (!clicked) co_return std::unexpected(clicked.error());
  }
  StepData data{{"termination_reason", loop.termination},
                {"scrolls_executed", std::to_string(loop.scrolls)},
                {"direction", std::string(direction_name(action->direction))},
                {"click_after", action->click_after ? "true" : "false"},
                {"click_types", std::string(click_name(action->click))}};
  if (!loop.container.empty()) data.emplace_back("resolved_container", loop.container);
  if (loop.termination.starts_with("CONTAINER_")) {
    co_return failed_step(*action, loop.termination, std::move(data));
  }
  if (action->matcher.given() && !found) {
    co_return failed_step(*action, "TARGET_NOT_FOUND", std::move(data));
  }
  co_return succeeded(*action, std::move(data));
}

Routine<Outcome> ActionRunner::scroll_and_click(const DeviceAction* action) {
  for (int attempt = 1;; ++attempt) {
    const ScrollLoop loop = co_await scroll_loop(action, action->max_swipes, Duration::max());
    if (loop.termination == "TARGET_FOUND") break;
    const bool no_container = loop.termination.starts_with("CONTAINER_");
    if (!no_container || attempt >= action->scroll_retry.max_attempts) {
      if (no_container) co_return give_up(loop.termination, loop.termination);
      co_return give_up("Target node not found after scrolling: " + action->matcher.describe(),
                        "NODE_NOT_FOUND");
    }
    co_await pause(retry_delay(action->scroll_retry, attempt));
  }
  if (action->click_after) {
    const auto clicked = co_await with_retry(&action->click_retry, "clickScrollTarget",
                                             [this, action] { return click_once(*action); });
    if (!clicked) co_return std::unexpected(clicked.error());
    co_await cost(c_.latencies->action);
  }
  co_return succeeded(*action, {{"max_swipes", std::to_string(action->max_swipes)},
                                {"direction", capitalised(direction_name(action->direction))},
                                {"click_types", std::string(click_name(action->click))},
                                {"click_after", action->click_after ? "true" : "false"}});
}

}  // namespace simdroid
