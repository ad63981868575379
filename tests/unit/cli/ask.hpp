#pragma once
// What a verb asks of the device, one type for all verbs, so that tests can hold them in tables.

#include "cli/verbs.hpp"
#include "unit/cli/invoke.hpp"

namespace clawperator::cli {

// What a verb asks, or why it asks nothing; then the execution that carries it out.
using Ask = Result<Action> (*)(const Invocation&);

template <auto ask>
Result<Action> action_of(const Invocation& invocation) {
  TRY(auto action, ask(invocation));
  return Action(std::move(action));
}

inline Result<Action> ask_for_snapshot(const Invocation&) { return Snapshot{}; }

}  // namespace clawperator::cli
