#pragma once
// Executions for a request whose node is known: one; or two with a snapshot between them where the
// app does not know `strict`; or the parts of a wait.

#include "runtime/act/execution.hpp"
#include "runtime/act/request.hpp"

namespace clawperator::act {

// One request while perform() handles it.
struct Work {
  Executor* executor;
  Request request;
  Outcome outcome{};
  bool is_cut_short = false;  // cancelled: nothing more is sent
  // Of a touch with `in_shown_app`: the app that it is for; empty: unknown.
  std::string app_shown{};
};

// The backend of the request, and the snapshots that its plan gets.
Backend chosen_backend(const Request& request);
std::optional<ThenLook> look_of(const Request& request);

// The request's action or payload as one execution: what is sent, and what --dry-run prints. Does
// not resolve ref and nth: perform() has put the node into the action before. Commands with
// --dry-run have neither.
Result<Execution> plan_of(const Request& request);
// Marks text as secret that the plan types into a password field of a known screen. The screen
// comes from the store alone: that of the ref, else the one shown last of the named device.
void mark_seen_passwords(const Request& request, Execution& execution);

// The last execution's result. node_ambiguous where exactly one node had to match and a snapshot
// shows several; nothing was sent then.
Task<ExecuteResult> carry_out(Work* work);

}  // namespace clawperator::act
