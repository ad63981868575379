// Steps that scroll: once, until something happens, or until a node can be clicked. Whether
// anything moved is told by the trees before and after.

#include <algorithm>

#include "runtime/engine/shell_backend/shell_run.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

bool has_moved(const ShellAction& action, const UiTree& before, const UiTree& after) {
  const auto was = container_of(action, before);
  const auto is = container_of(action, after);
  return !was || !is || !shows_the_same(before, *was, after, *is);
}

std::string title_case(std::string word) {
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
  }
  return word;
}

bool lacks_container(std::string_view end) { return end.starts_with("CONTAINER_"); }

}  // namespace

Task<StepResult> ShellRun::scroll(const ShellAction* action) {
  StepData data{{"direction", action->direction},
                {"settle_delay_ms", std::to_string(action->settle_delay.count())}};
  CO_TRY(const Seen before, co_await see());
  if (!before) co_return give_up(before.error(), kNoTree);
  const auto container = container_of(*action, before->tree);
  if (!container) co_return step_failed(*action, container.error(), std::move(data));
  data.insert(data.begin() + 1, {"distance_ratio", ratio_text(action->distance_ratio)});
  const UiNode& node = before->tree.nodes[*container];
  if (!node.resource_id.empty()) data.emplace_back("resolved_container", node.resource_id);
  const auto part = visible_part(before->tree, *container);
  if (!part) co_return step_failed(*action, kOffScreen, std::move(data));
  const auto path = swipe_path(*part, action->direction, action->distance_ratio);
  if (!path) {
    data.emplace_back("message", "so short a way of the finger would be a tap; nothing was sent");
    co_return step_failed(*action, "GESTURE_FAILED", std::move(data));
  }
  CO_TRY_VOID(co_await hand_->swipe(path->from, path->to));
  CO_TRY_VOID(co_await pause(action->settle_delay));
  CO_TRY(const Seen after, co_await see());
  const bool moved = after && has_moved(*action, before->tree, after->tree);
  data.insert(data.begin(), {"scroll_outcome", !after  ? "unknown"
                                               : moved ? "moved"
                                                       : "edge_reached"});
  if (!after)
    data.emplace_back("warn", "scrolled, but not seen whether anything moved: " + after.error());
  co_return step_done(*action, std::move(data));
}

Task<ShellRun::Scrolling> ShellRun::scroll_to(const ShellAction* action, int most,
                                              std::optional<milliseconds> longest) {
  Scrolling scrolling;
  const auto start = Clock::now();
  std::optional<UiTree> before;
  for (int unmoved = 0;;) {
    CO_TRY(Seen seen, co_await see());
    if (!seen) co_return give_up(seen.error(), kNoTree);
    const UiTree& tree = seen->tree;
    if (scrolling.scrolls == 0) {
      if (const auto front = check_front(tree); !front) co_return give_up(front.error().why);
    }
    const auto ended = [&scrolling](std::string_view why) {
      scrolling.end = why;
      return std::move(scrolling);
    };
    const auto target = action->matcher ? find_node(tree, *action->matcher) : std::nullopt;
    if (target && visible_part(tree, *target)) co_return ended("TARGET_FOUND");
    const auto container = container_of(*action, tree);
    if (!container) {
      co_return ended(scrolling.scrolls > 0 ? std::string_view("CONTAINER_LOST")
                                            : std::string_view(container.error()));
    }
    if (before && !has_moved(*action, *before, tree)) co_return ended("EDGE_REACHED");
    scrolling.container = tree.nodes[*container].resource_id;
    if (longest && Clock::now() - start >= *longest) co_return ended("MAX_DURATION_REACHED");
    if (scrolling.scrolls >= most) co_return ended("MAX_SCROLLS_REACHED");
    const auto part = visible_part(tree, *container);
    const auto path =
        part ? swipe_path(*part, action->direction, action->distance_ratio) : std::nullopt;
    if (path) CO_TRY_VOID(co_await hand_->swipe(path->from, path->to));
    ++scrolling.scrolls;
    unmoved = path ? 0 : unmoved + 1;
    if (unmoved >= action->no_position_change_threshold) co_return ended("NO_POSITION_CHANGE");
    CO_TRY_VOID(co_await pause(action->settle_delay));
    before.reset();
    if (path) before = std::move(seen->tree);
  }
}

Task<StepResult> ShellRun::scroll_until(const ShellAction* action) {
  CO_TRY(const Scrolling scrolling,
         co_await scroll_to(action, action->max_scrolls, action->max_duration));
  const bool found = scrolling.end == "TARGET_FOUND";
  if (found && action->click_after) CO_TRY_VOID(co_await click_node(action));
  StepData data{{"termination_reason", scrolling.end},
                {"scrolls_executed", std::to_string(scrolling.scrolls)},
                {"direction", action->direction},
                {"click_after", action->click_after ? "true" : "false"},
                {"click_types", action->click_name()}};
  if (!scrolling.container.empty()) data.emplace_back("resolved_container", scrolling.container);
  if (lacks_container(scrolling.end)) {
    co_return step_failed(*action, scrolling.end, std::move(data));
  }
  if (action->matcher && !found) {
    co_return step_failed(*action, "TARGET_NOT_FOUND", std::move(data));
  }
  co_return step_done(*action, std::move(data));
}

Task<StepResult> ShellRun::scroll_and_click(const ShellAction* action) {
  CO_TRY(const Scrolling scrolling, co_await scroll_to(action, action->max_swipes, std::nullopt));
  if (scrolling.end != "TARGET_FOUND") {
    co_return give_up(lacks_container(scrolling.end)
                          ? scrolling.end
                          : "Target node not found after scrolling: " + describe(*action->matcher));
  }
  if (action->click_after) CO_TRY_VOID(co_await click_node(action));
  co_return step_done(*action, {{"max_swipes", std::to_string(action->max_swipes)},
                                {"direction", title_case(action->direction)},
                                {"click_types", action->click_name()},
                                {"click_after", action->click_after ? "true" : "false"}});
}

}  // namespace clawperator
