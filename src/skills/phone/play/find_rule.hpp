#pragma once
// The nodes of a screen that a recipe's selector describes. Pure.

#include "runtime/ui/ui_tree.hpp"
#include "skills/phone/recipe/node_rule.hpp"

namespace clawperator::recipe {

// In document order. `container`: only nodes that it describes, and those below them; null:
// anywhere.
std::vector<std::size_t> find_rule(const UiTree& tree, const NodeRule& rule,
                                   const NodeRule* container = nullptr);

// The texts of the rule and of those within it, for what is near a missing node.
std::vector<NodeMatcher> texts_of(const NodeRule& rule);

// Whether an id names the node's app: "com.x:id/title", but not one of the system's "android:id/".
bool names_app(const NodeMatcher& texts);

}  // namespace clawperator::recipe
