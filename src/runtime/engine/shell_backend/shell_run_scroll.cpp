// Steps that scroll: once, until something happens, or until a node can be clicked. The trees
// before and after show whether anything moved.

#include <algorithm>

#include "runtime/engine/shell_backend/shell_run.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

bool has_moved(const Scroll& scroll, const UiTree& before, const UiTree& after) {
  const auto was = container_of(scroll, before);
  const auto is = container_of(scroll, after);
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

Task<StepResult> ShellRun::carry_out(const Scroll* scroll) {
  const std::string direction = direction_of(*scroll);
  const double ratio = ratio_of(*scroll);
  const milliseconds settle = settle_of(*scroll);
  StepData data{{"direction", direction}, {"settle_delay_ms", std::to_string(settle.count())}};
  CO_TRY(const Seen before, co_await see());
  if (!before) co_return give_up(before.error(), kNoTree);
  const auto container = container_of(*scroll, before->tree);
  if (!container) co_return failed(container.error(), std::move(data));
  data.insert(data.begin() + 1, {"distance_ratio", ratio_text(ratio)});
  const UiNode& node = before->tree.nodes[*container];
  if (!node.resource_id.empty()) data.emplace_back("resolved_container", node.resource_id);
  const auto part = visible_part(before->tree, *container);
  if (!part) co_return failed(kOffScreen, std::move(data));
  const auto path = swipe_path(*part, direction, ratio);
  if (!path) {
    data.emplace_back("message",
                      "the finger's path is so short that it would be a tap; nothing was sent");
    co_return failed("GESTURE_FAILED", std::move(data));
  }
  CO_TRY_VOID(co_await hand_->swipe(path->from, path->to));
  CO_TRY_VOID(co_await pause(settle));
  CO_TRY(const Seen after, co_await see());
  const bool moved = after && has_moved(*scroll, before->tree, after->tree);
  data.insert(data.begin(), {"scroll_outcome", !after  ? "unknown"
                                               : moved ? "moved"
                                                       : "edge_reached"});
  if (!after)
    data.emplace_back("warn", "scrolled, but whether anything moved is unknown: " + after.error());
  co_return done(std::move(data));
}

Task<ShellRun::Scrolling> ShellRun::scroll_to(const ScrollTo* scroll, int most,
                                              std::optional<milliseconds> longest) {
  Scrolling scrolling;
  const NodeMatcher wanted = scroll->matcher ? wanted_by(*scroll->matcher) : NodeMatcher{};
  const int threshold = whole_of(scroll->no_position_change_threshold, 3, 1, 20);
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
    const auto target = scroll->matcher ? find_node(tree, wanted) : std::nullopt;
    if (target && visible_part(tree, *target)) co_return ended("TARGET_FOUND");
    const auto container = container_of(*scroll, tree);
    if (!container) {
      co_return ended(scrolling.scrolls > 0 ? std::string_view("CONTAINER_LOST")
                                            : std::string_view(container.error()));
    }
    if (before && !has_moved(*scroll, *before, tree)) co_return ended("EDGE_REACHED");
    scrolling.container = tree.nodes[*container].resource_id;
    if (longest && Clock::now() - start >= *longest) co_return ended("MAX_DURATION_REACHED");
    if (scrolling.scrolls >= most) co_return ended("MAX_SCROLLS_REACHED");
    const auto part = visible_part(tree, *container);
    const auto path =
        part ? swipe_path(*part, direction_of(*scroll), ratio_of(*scroll)) : std::nullopt;
    if (path) CO_TRY_VOID(co_await hand_->swipe(path->from, path->to));
    ++scrolling.scrolls;
    unmoved = path ? 0 : unmoved + 1;
    if (unmoved >= threshold) co_return ended("NO_POSITION_CHANGE");
    CO_TRY_VOID(co_await pause(settle_of(*scroll)));
    before.reset();
    if (path) before = std::move(seen->tree);
  }
}

Task<StepResult> ShellRun::carry_out(const ScrollUntil* scroll) {
  const bool clicks = scroll->click_after == true;
  const std::string direction = direction_of(*scroll);
  CO_TRY(const Scrolling scrolling,
         co_await scroll_to(scroll, whole_of(scroll->max_scrolls, 20, 1, 200),
                            time_of(scroll->max_duration_ms, milliseconds(25000), 120000)));
  const bool found = scrolling.end == "TARGET_FOUND";
  if (found && clicks) CO_TRY_VOID(co_await click_node(scroll));
  StepData data{{"termination_reason", scrolling.end},
                {"scrolls_executed", std::to_string(scrolling.scrolls)},
                {"direction", direction},
                {"click_after", clicks ? "true" : "false"},
                {"click_types", click_name(is_long(scroll->click_type))}};
  if (!scrolling.container.empty()) data.emplace_back("resolved_container", scrolling.container);
  if (lacks_container(scrolling.end)) co_return failed(scrolling.end, std::move(data));
  if (scroll->matcher && !found) co_return failed("TARGET_NOT_FOUND", std::move(data));
  co_return done(std::move(data));
}

Task<StepResult> ShellRun::carry_out(const ScrollAndClick* scroll) {
  const bool clicks = scroll->click_after.value_or(true);
  const int most = whole_of(scroll->max_swipes, 10, 1, 50);
  CO_TRY(const Scrolling scrolling, co_await scroll_to(scroll, most, std::nullopt));
  if (scrolling.end != "TARGET_FOUND") {
    co_return give_up(lacks_container(scrolling.end) ? scrolling.end
                                                     : "Target node not found after scrolling: " +
                                                           describe(wanted_by(*scroll->matcher)));
  }
  if (clicks) CO_TRY_VOID(co_await click_node(scroll));
  co_return done({{"max_swipes", std::to_string(most)},
                  {"direction", title_case(direction_of(*scroll))},
                  {"click_types", click_name(is_long(scroll->click_type))},
                  {"click_after", clicks ? "true" : "false"}});
}

}  // namespace clawperator
