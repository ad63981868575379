#pragma once
// An execution that ended because a node is not there, and what is there instead.

#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::act {

// By the app's own words for a node that is not there, and for one that has not come.
bool is_miss(const Envelope& envelope);

// What the action looks for; empty where it looks for nothing, or for what only the app can judge.
NodeMatcher wanted_node(const Action& action);

// {"foreground","near"}: the app in front, and the nodes that say nearly what was wanted, each as
// a line of a compact tree that begins with its ref.
JsonObject tell_miss(const UiTree& screen, const NodeMatcher& wanted);

}  // namespace clawperator::act
