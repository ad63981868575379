#pragma once
// An execution that ended because a node is not there, and what is there instead.

#include <string>

#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::act {

// By the app's own words for a node that is not there, and for one that has not come.
bool is_miss(const Envelope& envelope);

// What the action looks for; empty where it looks for nothing, or for what only the app can judge.
NodeMatcher wanted_node(const Action& action);

// {"foreground","dialog","near"}: the app in front, the title of a dialog if there is one, and the
// nodes that say nearly what was wanted, each as a line of a compact tree that begins with its ref.
JsonObject tell_miss(const UiTree& screen, const NodeMatcher& wanted);

// The app that was seen last, where another one is in front now; empty: it is the same.
std::string app_that_left(const std::optional<UiTree>& seen, const UiTree& screen);

// The tree of a snapshot's step; nullopt where it has none.
std::optional<UiTree> tree_of(const StepResult& snapshot);

// Why a click or a typing can have no effect on that screen: the node is disabled, or the point
// lies outside. nullopt where nothing speaks against it.
std::optional<std::string> what_stops(const UiTree& screen, const Action& action);

// The nodes that the matcher is fulfilled by: how many, and the `nth` of them, from 1 on, by what
// only it fulfils, else as a point of that screen. node_not_found.
struct NthPlace {
  Place place;
  std::size_t matches = 0;
};
Result<NthPlace> find_nth(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth);

}  // namespace clawperator::act
