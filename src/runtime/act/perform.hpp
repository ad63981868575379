#pragma once
// The one place that does something on a screen and reports what happened.
//
//   Request --> ref, nth, short ids --> Execution --> Executor --> effect, miss, candidates -->
//   Outcome

#include "runtime/act/request.hpp"

namespace clawperator::act {

// The Outcome also of a request that fails. A cancelled one is unwound by an exception.
asio::awaitable<Outcome> perform(Executor* executor, Request request);

// The execution that perform() would send, for --dry-run. Neither ref nor nth may be given.
Result<Execution> plan_of(const Request& request);
// What it types into a field that the user has seen to be one for passwords becomes secret. By the
// store alone: the screen of the ref, else the one that was shown last of the named device.
void mark_seen_passwords(const Request& request, Execution& execution);

// The screen alone, after something was done without an execution: waits for `observe->settle`,
// then looks. `what` is not used.
asio::awaitable<Outcome> observe_screen(Executor* executor, Request request);

}  // namespace clawperator::act
