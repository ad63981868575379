#pragma once
// An execution that ended because a node is not there, and what is there instead.

#include "base/async/task.hpp"
#include "base/json_text.hpp"
#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator::act {

// By the app's own words for a node that is not there, and for one that has not come.
bool is_miss(const Envelope& envelope);
// Several nodes fit, where one alone was to.
bool is_ambiguous(const Envelope& envelope);

// What a caller's action looks for: its `matcher`, or its label; empty where it looks for nothing,
// or for what only the app can judge.
NodeMatcher wanted_node(const Action& action);

// The step of a plan that failed for its node. Before 0.10 the app leaves no results then, but its
// error describes the matcher. Empty, and the first step, where neither says which it was.
struct MissingNode {
  NodeMatcher node{};
  std::size_t step = 0;
};
MissingNode find_missing(const Envelope& envelope, const Execution& plan);

// The app that should be in front after these steps, where `app` was before; empty: unknown. A
// click is not expected to bring another app.
std::string app_after(std::string app, std::span<const Action> steps);

// {"foreground","dialog","near"}: the app in front, the title of a dialog if there is one, and the
// nodes that say nearly what was wanted, each as a line of a compact tree that begins with its ref.
JsonObject tell_miss(const UiTree& screen, const NodeMatcher& wanted);

// The same, and what became of the app that was there before, where another one is in front now:
// "previous", and its "crash", where `find_crash` finds one. `app_before`: empty where it is not
// known.
using FindCrash = std::function<Task<JsonObject>(std::string package)>;
Task<JsonObject> tell_whole_miss(const UiTree* screen, const NodeMatcher* wanted,
                                 std::string app_before, FindCrash find_crash);

// The tree of a snapshot's step; nullopt where it has none.
std::optional<UiTree> tree_of(const StepResult& snapshot);

}  // namespace clawperator::act
