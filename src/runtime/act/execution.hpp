#pragma once
// From an action to the execution that carries it out. Pure: the same values give the same bytes.
//
//   Action  --execution_of---> Execution --to_json--> what the device gets
//   payload --judge_payload--'

#include "base/error.hpp"
#include "runtime/act/action.hpp"
#include "runtime/act/stamp.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

// Both are judged by the contract: schema and rules, the timeout, the size, and that the Operator
// app which is to run it is not stopped by it.

// The screen once it has had that time to change, in the step `look`.
struct ThenLook {
  std::chrono::milliseconds settle{300};
  bool before = false;  // and as it was before the action, in the step `before`
};

// Ids, source and limits are those that are published for the action. `timeout_ms` is what the
// caller allows; what waits or sleeps gets at least its own time and five seconds, up to two
// minutes.
// `tree_first`: the tree of the same screen, in the step `look` before.
Result<Execution> execution_of(Action action, const Stamp& stamp, std::optional<double> timeout_ms,
                               const NamedOperator& operator_package,
                               std::optional<ThenLook> then = std::nullopt,
                               bool tree_first = false);

// `timeout_ms` replaces the payload's own.
Result<Execution> judge_payload(std::string_view json, std::optional<double> timeout_ms,
                                const NamedOperator& operator_package,
                                std::optional<ThenLook> then = std::nullopt);

// The ids of the snapshots that `tree_first` and ThenLook add.
inline constexpr std::string_view kLookStep = "look";
inline constexpr std::string_view kBeforeStep = "before";

// The one rule of who carries an action out: the one that its caller names; else the phone's own
// shell, where that does it as well and without the app, or where the app cannot. A tree that is
// shown with it is the app's.
Backend backend_of(const Action& action, std::optional<Backend> named, bool shows_tree = false);

}  // namespace clawperator::act
