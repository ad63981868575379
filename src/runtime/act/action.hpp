#pragma once
// The target of a caller's action: a node or a point, as the contract's actions take it.

#include <variant>

#include "runtime/act/selector.hpp"
#include "runtime/contract/action.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

// A node by what distinguishes it from others, or a point of the screen.
using Place = std::variant<Selector, Point>;

// Moves the action to that place.
void put_at(Click& click, const Place& place);

}  // namespace clawperator::act
