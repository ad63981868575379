#pragma once
// A node as it is on the screen now: specification, place, and current state.
//
// Nodes scrolled or clipped away have no view, unless their container sets NodeSpec::unseen.

#include <string>
#include <vector>

#include "simdroid/ui/geometry.hpp"
#include "simdroid/ui/screen_set.hpp"

namespace simdroid {

struct View {
  const NodeSpec* spec = nullptr;
  Rect bounds;          // clipped to the visible part; outside of it it may be inverted
  Rect frame;           // where it would be unclipped
  Rect reported;        // its place in the accessibility tree
  bool visible = true;  // the same of whether a user sees it
  std::string text;     // current: typed, or the hint
  bool checked = false;
  bool focused = false;
  bool scrollable = false;  // can move now, as opposed to being a scrolling kind of container
  int scroll_offset = 0, scroll_max = 0;
  std::vector<View> children;
};

// Depth first, parents before children, in document order.
template <class Visit>
void for_each_view(const View& view, Visit&& visit) {
  visit(view);
  for (const View& child : view.children) for_each_view(child, visit);
}

// First in document order for which `matches` holds, or null.
template <class Predicate>
const View* find_view(const View& view, Predicate&& matches) {
  if (matches(view)) return &view;
  for (const View& child : view.children) {
    if (const View* found = find_view(child, matches)) return found;
  }
  return nullptr;
}

}  // namespace simdroid
