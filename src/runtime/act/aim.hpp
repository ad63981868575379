#pragma once
// Where an action goes, and what a tree of the screen says of that node or point.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {

// Why a click or a typing can have no effect on that screen: the node is disabled. nullopt where
// nothing speaks against it.
std::optional<std::string> what_stops(const UiTree& screen, const Action& action);

// One node of a screen: a selector that only it fulfils, else a point of it.
struct Target {
  Place place{};
  ShownNode shown{};
  Matches matches{};
  bool is_password = false;  // a field for one
};
// The `nth` of the nodes that fulfil a matcher, from 1 on. node_not_found, off_screen.
Result<Target> find_nth(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth);

// What the node of the action's ref is wanted for.
RefUse ref_use_of(const Action& action);
// The action on that node. It fails with `otherwise` where the action knows no points and the
// target is one; with usage where the action is on no node.
Result<Action> aimed_at(Action action, const Target& target, const Error& otherwise);
// The same of a step of a payload: {"type","params"}.
Result<void> aim_step(Json& step, const Target& target, const Error& otherwise);
// Where one node alone was to match and several do: "matches", "candidates" (lines of a compact
// tree that begin with their refs), "hint".
JsonObject tell_several(const UiTree& screen, const NodeMatcher& wanted);
// node_ambiguous with these members; that none matches is no error of this.
Result<void> check_alone(const UiTree& screen, const NodeMatcher& wanted);

// Whether the action is to be done only where one node alone matches.
bool is_strict(const Action& action);
Action not_strict(Action action);
// The app of the device cannot be: nothing was sent.
bool is_too_old_to_be_strict(const Error& error);

// What the trees around an action say of its node. Of `before` the hash is noted in its data, so
// that the tree is read once. Without `before` only what stops the action is known, by `after`.
struct TargetReport {
  Matches matches{};  // where `before` has several
  std::optional<std::string> stopped_by{};
};
TargetReport report_target(StepResult* before, const StepResult* after, const Action& action);
// Whether a step has its matches, as those by the phone's shell do.
bool tells_matches(const Envelope& envelope);

// A screen has hundreds of nodes; the published schemas need a bound.
inline constexpr int kMostNth = 65535;

}  // namespace clawperator::act
