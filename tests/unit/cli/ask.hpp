#pragma once
// What a verb asks of the device, one type for all verbs, so that tests can hold them in tables.

#include "cli/verbs.hpp"
#include "unit/cli/invoke.hpp"

namespace clawperator::cli {

// What a verb asks, or why it asks nothing; then the execution that carries it out.
using Ask = Result<act::Action> (*)(const Invocation&);

template <auto ask>
Result<act::Action> action_of(const Invocation& invocation) {
  TRY(auto action, ask(invocation));
  return act::Action(std::move(action));
}

inline Result<act::Action> ask_for_snapshot(const Invocation&) { return act::Snapshot{}; }

}  // namespace clawperator::cli
