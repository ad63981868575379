#pragma once
// The target of an action, and what a tree of the screen shows of that node or point.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {

// Why a click or a typing can have no effect on that screen: the node is disabled. nullopt where
// nothing is known against it.
std::optional<std::string> what_stops(const UiTree& screen, const Action& action);

// One node of a screen: a selector that only it fulfils, else a point of it.
struct Target {
  Place place{};
  ShownNode shown{};
  Matches matches{};
  bool is_password = false;  // a field for passwords
};
// The `nth` of the nodes that fulfil a matcher, from 1 on; `found`: all of them. node_not_found;
// find_nth: off_screen.
Result<std::size_t> nth_node(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth,
                             std::span<const std::size_t> found);
Result<Target> find_nth(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth);

// How the action uses the node of its ref.
RefUse ref_use_of(const Action& action);
// The action on that node. Fails with `otherwise` where the target is a point and the action takes
// none; with usage where the action takes no node.
Result<Action> aimed_at(Action action, const Target& target, const Error& otherwise);
// The same for one step of a payload: {"type","params"}.
Result<void> aim_step(Json& step, const Target& target, const Error& otherwise);
// For an action that needs exactly one node where several match, which are `found`: "matches",
// "candidates" (lines of a compact tree that begin with their refs), "hint".
constexpr std::string_view kNameOne = "nothing was done: name one by its ref, or by nth from 1 on";
JsonObject describe_candidates(const UiTree& screen, std::span<const std::size_t> found,
                               std::string_view hint = kNameOne);
// node_ambiguous with these members where several nodes match. No match is not an error here.
Result<void> check_alone(const UiTree& screen, const NodeMatcher& wanted);

// An action that searches for a node does so for that long, unless it has a `retry` of its own.
void search_for(Action& action, std::chrono::milliseconds patience);
// Whether the action requires that exactly one node matches.
bool is_strict(const Action& action);
Action not_strict(Action action);
// The device's Operator app does not know `strict`; nothing was sent.
bool is_too_old_to_be_strict(const Error& error);

// What the trees around an action show of its node. `before`'s hash is written into its data, so
// that the tree is parsed once. Without `before` only `stopped_by` is known, from `after`.
struct TargetReport {
  Matches matches{};  // where `before` has several
  std::optional<std::string> stopped_by{};
};
TargetReport report_target(StepResult* before, const StepResult* after, const Action& action);
// Whether a step reports its matches. Steps by the device's shell do.
bool has_matches(const Envelope& envelope);

// A screen has hundreds of nodes; the published schemas need a bound.
inline constexpr int kMostNth = 65535;

}  // namespace clawperator::act
