#pragma once
// For an execution that failed because its node is not there: what the screen has instead.

#include "base/async/task.hpp"
#include "base/json_text.hpp"
#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator::act {

// By the app's own messages for a missing node and for one that did not appear in time.
bool is_miss(const Envelope& envelope);
// Several nodes match where exactly one had to.
bool is_ambiguous(const Envelope& envelope);

// The node of a caller's action: its `matcher`, or its label. Empty where the action takes no node,
// or where only the app can judge it.
NodeMatcher wanted_node(const Action& action);

// The step that failed because of its node. An app before 0.10 leaves no step results then, but its
// error describes the matcher. Empty matcher and the first step where neither identifies the step.
struct MissingNode {
  NodeMatcher node{};
  std::size_t step = 0;
};
MissingNode find_missing(const Envelope& envelope, const Execution& plan);
// The first step that found nothing to scroll, or not the container that it names (then the node);
// nullopt: there is none. Each such step gets words where the app has a code alone.
std::optional<MissingNode> find_missing_container(Envelope& envelope, const Execution& plan);

// The app that should be in front after these steps, when `app` was in front before; empty:
// unknown. A click is expected to stay in its app.
std::string app_after(std::string app, std::span<const Action> steps);

// {"foreground","dialog","near"}: the app in front, the title of a dialog if there is one, and the
// nodes with a text near the wanted one. Each node is a line of a compact tree that begins with its
// ref.
JsonObject describe_miss(const UiTree& screen, const NodeMatcher& wanted);
// For several nodes at once.
JsonObject describe_miss(const UiTree& screen, const std::vector<NodeMatcher>& wanted);

// The same, and the app that was in front before, where another one is now: "previous", and its
// "crash" where `find_crash` finds one. `app_before`: empty where it is not known.
using FindCrash = std::function<Task<JsonObject>(std::string package)>;
Task<JsonObject> describe_miss_and_crash(const UiTree* screen, const NodeMatcher* wanted,
                                         std::string app_before, FindCrash find_crash);

// The tree of a snapshot's step; nullopt where it has none.
std::optional<UiTree> tree_of(const StepResult& snapshot);

}  // namespace clawperator::act
