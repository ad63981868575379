#pragma once
// From a request whose node is known to its executions: one, two with a look in between where the
// app cannot be strict, or the parts of a wait.

#include "runtime/act/execution.hpp"
#include "runtime/act/request.hpp"

namespace clawperator::act {

// One request on its way.
struct Work {
  Executor* executor;
  Request request;
  Outcome outcome{};
  bool is_cut_short = false;  // cancelled: nothing more is sent
};

// Who carries the request out, and the snapshots that its plan gets.
Backend chosen_backend(const Request& request);
std::optional<ThenLook> look_of(const Request& request);

// The execution that perform() would send, for --dry-run. Neither ref nor nth may be given.
Result<Execution> plan_of(const Request& request);
// Text that it types into a password field that the user has seen becomes secret. The store alone
// decides: the screen of the ref, else the one that was shown last of the named device.
void mark_seen_passwords(const Request& request, Execution& execution);

// The last execution's result. node_ambiguous where one node alone was to fit, and a look shows
// several; nothing was sent then.
Task<ExecuteResult> carry_out(Work* work);

}  // namespace clawperator::act
