#pragma once
// From a NodeSpec tree and the state of its nodes to visible views.
//
//   column   children below each other     row     children beside each other
//   stack    children over each other      weight  a share of the rest along the flow
//
// Pure arithmetic over integers: the same input gives the same pixels everywhere.

#include <functional>
#include <string>

#include "simdroid/ui/view.hpp"

namespace simdroid {

// A node's state for the layout, beside its specification.
struct NodeState {
  std::string text;
  bool present = true;  // false: takes no room
  bool checked = false;
  bool focused = false;
  int scroll = 0;
};

using StateOf = std::function<NodeState(const NodeSpec&)>;

// Fills `window`; nodes outside of it are left out.
View lay_out_activity(const NodeSpec& root, const Rect& window, const StateOf& state_of);
// As high as its content, centred in `window` with margins.
View lay_out_dialog(const NodeSpec& root, const Rect& window, const StateOf& state_of);

}  // namespace simdroid
