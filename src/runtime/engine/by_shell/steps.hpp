#pragma once
// What the steps of a plan by shell have in common. Pure.

#include <expected>

#include "runtime/contract/envelope.hpp"
#include "runtime/engine/by_shell/shell_action.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

StepResult step_done(const ShellAction& action, StepData data);
StepResult step_failed(const ShellAction& action, std::string_view error, StepData data = {});

std::string not_found(const NodeMatcher& matcher);

// Where a finger goes for a node; not to one that is disabled or covers nothing.
std::expected<Point, std::string> point_of(const UiNode& node);

// What is scrolled: the matched node, else its first scrollable descendant, else the first on the
// screen. The error is the step's.
std::expected<std::size_t, std::string> container_of(const ShellAction& action, const UiTree& tree);

struct SwipePath {
  Point from;
  Point to;
};
// Of the finger that scrolls; nullopt where it would be too short to be more than a tap.
std::optional<SwipePath> swipe_path(const Bounds& bounds, std::string_view direction, double ratio);

// "0.7", "1.0"
std::string ratio_text(double ratio);

}  // namespace clawperator
