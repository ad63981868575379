#pragma once
// How a plan that is aimed at what a ref stands for is kept from every other node. Pure.
//
//   app      the Operator app itself: its matcher is strict, and no other app has such an id
//   shell    the phone's shell, which looks who is in front and sends the broadcast only then
//   look     a snapshot before it, in the same turn: what happens in between is not seen

#include "runtime/contract/execution.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

enum class RefGuard : std::uint8_t { app, shell, look };

// `version` absent: unknown, so that the app is taken for an old one. `sdk` 0: unknown.
RefGuard guard_of(const ShownNode& shown, const Execution& plan,
                  const std::optional<OperatorVersion>& version, int sdk);

// Whether it moves the screen before it takes its node.
bool scrolls_first(const Execution& plan);

// The plan for an app that knows strict and ancestor: its step takes that node alone.
Execution bound_plan(Execution plan, const ShownNode& shown);
bool knows_strict(const std::optional<OperatorVersion>& version);

}  // namespace clawperator
