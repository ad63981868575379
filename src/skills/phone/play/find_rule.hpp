#pragma once
// The nodes of a screen that a recipe's selector describes. Pure.

#include "runtime/ui/ui_tree.hpp"
#include "skills/phone/recipe/node_rule.hpp"

namespace clawperator::recipe {

// In document order. `container`: only nodes that it describes, and those below them; null:
// anywhere. `app`: only nodes of that package; empty: of any.
std::vector<std::size_t> find_rule(const UiTree& tree, const NodeRule& rule,
                                   const NodeRule* container = nullptr, std::string_view app = {});

// The texts of the rule and of those within it, for what is near a missing node.
std::vector<NodeMatcher> texts_of(const NodeRule& rule);

// Whether an id of the rule names another app than `app`: "com.x:id/title". The system's
// "android:id/" names none.
bool names_other_app(const NodeRule& rule, std::string_view app);

}  // namespace clawperator::recipe
