#pragma once
// Keeps a plan with a ref from every other node than the shown one, in one of three ways. Pure.
//
//   app    The Operator app decides. The sent matcher is strict and fits no node of another app;
//          its container holds a witness, a text that was shown there.
//   shell  No id names the app, or the plan scrolls, which has no witness. The phone's shell sends
//          the broadcast only while that app is in front.
//   look   A snapshot is taken first, in the same turn. A change in between is not seen.
//
// A plan without a ref may be kept in the app that was shown: by the shell, else by a look.

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator {

enum class RefGuard : std::uint8_t { app, shell, look };

// `version` absent: unknown, and the app counts as an old one. `sdk` 0: unknown.
RefGuard guard_of(const ShownNode& shown, const Execution& plan,
                  const std::optional<OperatorVersion>& version, int sdk);

// Whether the plan moves the screen before it takes its node.
bool scrolls_first(const Execution& plan);

// The plan for an app that knows strict, ancestor and descendant: its step accepts that node alone.
// After a snapshot the witness is left out, because the snapshot has checked more of the window.
Execution bound_plan(Execution plan, const ShownNode& shown, RefGuard guard);
bool knows_strict(const std::optional<OperatorVersion>& version);

// A hash does not identify a phone: two phones may show the same screen. STALE_REF where another
// phone than this one has shown it. `own_name`: own_name() of this phone, in engine.hpp.
Result<void> check_shower(const ShownNode& shown, const std::string& serial,
                          const std::string& own_name);

// The app did not find the node in its container, or not alone.
bool has_missed(const Envelope& envelope);
// The answer of a reading names its container; removes the one that we added.
void hide_container(Envelope& envelope, const Execution& plan);

}  // namespace clawperator
