#include "runtime/engine/by_shell/steps.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/contract/action_table.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {
namespace {

// A finger that begins or ends at an edge is taken for a gesture of the system.
constexpr double kUsable = 0.8;
// Android's touch slop is 8 dp, 32 pixels on the densest screens.
constexpr int kShortest = 48;

}  // namespace

StepResult step_done(const ShellAction& action, StepData data) {
  return {action.id, std::string(action_name(action.type)), true, std::move(data)};
}

StepResult step_failed(const ShellAction& action, std::string_view error, StepData data) {
  data.emplace_back("error", std::string(error));
  return {action.id, std::string(action_name(action.type)), false, std::move(data)};
}

std::string not_found(const NodeMatcher& matcher) {
  return "No UI node found matching criteria: " + describe(matcher);
}

std::expected<Point, std::string> point_of(const UiNode& node) {
  const auto refuse = [](std::string_view why) {
    return std::unexpected("Click on matching UI node failed: " + std::string(why));
  };
  if (!node.flags.enabled) return refuse("it is disabled");
  if (node.bounds.right <= node.bounds.left || node.bounds.bottom <= node.bounds.top) {
    return refuse("it covers nothing of the screen");
  }
  return node.bounds.centre();
}

std::expected<std::size_t, std::string> container_of(const ShellAction& action,
                                                     const UiTree& tree) {
  const auto named = action.container ? find_node(tree, *action.container) : std::nullopt;
  if (action.container && !named) return std::unexpected("CONTAINER_NOT_FOUND");
  if (named && tree.nodes[*named].flags.scrollable) return *named;
  if (named && !action.find_first_scrollable_child) {
    return std::unexpected("CONTAINER_NOT_SCROLLABLE");
  }
  const auto inner = first_scrollable(tree, named.value_or(kNoNode));
  if (inner) return *inner;
  return std::unexpected(named ? "CONTAINER_NOT_SCROLLABLE" : "CONTAINER_NOT_FOUND");
}

std::optional<SwipePath> swipe_path(const Bounds& bounds, std::string_view direction,
                                    double ratio) {
  const bool upright = direction == "down" || direction == "up";
  const int extent = upright ? bounds.bottom - bounds.top : bounds.right - bounds.left;
  const int length = static_cast<int>(std::lround(extent * std::min(ratio, kUsable)));
  if (length < kShortest) return std::nullopt;
  const Point centre = bounds.centre();
  // What comes into view from below does so when the finger goes up.
  const bool back = direction == "up" || direction == "left";
  const int first = back ? -length / 2 : length / 2;
  const Point from =
      upright ? Point{centre.x, centre.y + first} : Point{centre.x + first, centre.y};
  const Point to = upright ? Point{centre.x, from.y - (back ? -length : length)}
                           : Point{from.x - (back ? -length : length), centre.y};
  return SwipePath{from, to};
}

std::string ratio_text(double ratio) {
  std::string text = number_json(ratio);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace clawperator
