#pragma once
// From an action to the execution that carries it out. Pure: the same values give the same bytes.
//
//   Action  --execution_of---> Execution --to_json--> the text for the device
//   payload --judge_payload--'

#include "base/error.hpp"
#include "runtime/act/action.hpp"
#include "runtime/act/stamp.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

// Both are validated by the contract: schema and rules, the timeout, the size, and that the plan
// does not stop the Operator app that runs it.

// A snapshot after the action, once the screen had that time to change, in the step `look`.
struct ThenLook {
  std::chrono::milliseconds settle{300};
  bool before = false;  // and one before the action, in the step `before`
};

// Ids, source and limits are those that are published for the action. `timeout_ms` is the caller's
// limit; a wait or sleep gets at least its own time and five seconds, up to two minutes.
// `tree_first`: a snapshot of the same screen, in the step `look` before the action.
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

// The one rule that chooses a backend: the one that the caller names; else the device's shell where
// it does the action as well without the app, or where the app cannot do it. A tree that is shown
// with it comes from the app.
Backend backend_of(const Action& action, std::optional<Backend> named, bool shows_tree = false);

}  // namespace clawperator::act
