#pragma once
// The visible part of a node: taps go there and nowhere else. Bounds in a tree are those of the
// whole node; the screen, scrolling nodes around it and the keyboard hide parts of it.

#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// The part of both; empty where they have none in common.
Bounds common_part(const Bounds& one, const Bounds& other);

// The node's bounds, cut by the screen, by every scrolling node around it, and by the keyboard as
// far as the tree contains it. nullopt: nothing is visible. The bounds may contain any numbers.
std::optional<Bounds> visible_part(const UiTree& tree, std::size_t node);

}  // namespace clawperator
