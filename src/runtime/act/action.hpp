#pragma once
// Where a caller's action goes: the contract's actions by a node or a point.

#include <variant>

#include "runtime/act/selector.hpp"
#include "runtime/contract/action.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator::act {

// A node by what distinguishes it from others, or a point of the screen.
using Place = std::variant<Selector, Point>;

// At that place instead of where it was.
void put_at(Click& click, const Place& place);

}  // namespace clawperator::act
