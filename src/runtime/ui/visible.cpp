#include "runtime/ui/visible.hpp"

#include <algorithm>

namespace clawperator {

namespace {

// Without a size: every point that a caller can name.
Bounds screen_of(const UiTree& tree) {
  constexpr std::uint32_t kLast = std::numeric_limits<int>::max();
  const auto side = [=](std::uint32_t length) {
    return static_cast<int>(length == 0 ? kLast : std::min(length, kLast));
  };
  return {0, 0, side(tree.screen.width), side(tree.screen.height)};
}

// A keyboard does not cover its own keys.
Bounds keyboard_over(const UiTree& tree, std::size_t node) {
  return window_of(tree, node) == tree.keyboard_window ? Bounds{} : tree.keyboard;
}

double area(const Bounds& bounds) {
  if (bounds.is_empty()) return 0;
  const auto length = [](int from, int to) { return static_cast<double>(to) - from; };
  return length(bounds.left, bounds.right) * length(bounds.top, bounds.bottom);
}

// The largest rectangle of `part` that `cover` leaves free.
Bounds without(const Bounds& part, const Bounds& cover) {
  const Bounds hidden = common_part(part, cover);
  if (hidden.is_empty()) return part;
  Bounds above = part, below = part, left = part, right = part;
  above.bottom = hidden.top;
  below.top = hidden.bottom;
  left.right = hidden.left;
  right.left = hidden.right;
  return std::max({above, below, left, right},
                  [](const Bounds& a, const Bounds& b) { return area(a) < area(b); });
}

}  // namespace

Bounds common_part(const Bounds& one, const Bounds& other) {
  return {std::max(one.left, other.left), std::max(one.top, other.top),
          std::min(one.right, other.right), std::min(one.bottom, other.bottom)};
}

std::optional<Bounds> visible_part(const UiTree& tree, std::size_t node) {
  Bounds part = common_part(tree.nodes[node].bounds, screen_of(tree));
  for (std::size_t around = tree.nodes[node].parent; around != kNoNode;
       around = tree.nodes[around].parent) {
    if (tree.nodes[around].flags.scrollable) part = common_part(part, tree.nodes[around].bounds);
  }
  if (!part.is_empty()) part = without(part, keyboard_over(tree, node));
  return part.is_empty() ? std::nullopt : std::optional(part);
}

}  // namespace clawperator
