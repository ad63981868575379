#pragma once
// What a tree of the screen tells of the node or the point that an action is aimed at.

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "runtime/act/action.hpp"
#include "runtime/contract/envelope.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {

// Why a click or a typing can have no effect on that screen: the node is disabled. nullopt where
// nothing speaks against it.
std::optional<std::string> what_stops(const UiTree& screen, const Action& action);

// The `nth` of the nodes that a matcher is fulfilled by, from 1 on: by what only it fulfils, else
// as a point of that screen. node_not_found, off_screen.
struct NthPlace {
  Place place;
  Matches matches{};
  bool is_password = false;  // a field for one
};
Result<NthPlace> find_nth(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth);
// Where one node alone was to match and several do: "matches", "candidates" (lines of a compact
// tree that begin with their refs), "hint".
JsonObject tell_several(const UiTree& screen, const NodeMatcher& wanted);
// node_ambiguous with these members; that none matches is no error of this.
Result<void> check_alone(const UiTree& screen, const NodeMatcher& wanted);

// Whether the action is to be done only where one node alone matches.
bool is_strict(const Action& action);
Action as_strict(Action action, bool strict);
// The app of the device cannot be: nothing was sent.
bool is_too_old_to_be_strict(const Error& error);

// For actions that know no points. usage.
Result<Selector> selector_of(const NthPlace& found);

// What the trees around an action tell of its target: "matches" and "taken", where it `counts` and
// there are several, and what stops it as "warn". Of `before` the hash is noted, so that nobody
// reads it again; absent: only what stops it is told, by `after`.
JsonObject tell_target(StepResult* before, const StepResult* after, const Action& action,
                       bool counts = true);
// Whether a step has told its matches, as those by the phone's shell do.
bool tells_matches(const Envelope& envelope);

inline constexpr int kMostNth = 65535;

}  // namespace clawperator::act
