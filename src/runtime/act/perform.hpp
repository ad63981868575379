#pragma once
// The one place that does something on a screen and reports what happened.
//
//   Request --> ref, nth, short ids --> Execution --> Executor --> effect, miss, candidates -->
//   Outcome

#include "runtime/act/request.hpp"

namespace clawperator::act {

// The Outcome also of a request that fails. A cancelled one is unwound by an exception.
asio::awaitable<Outcome> perform(Executor* executor, Request request);

// The screen alone, after something was done without an execution: waits for `observe->settle`,
// then looks. `what` is not used.
asio::awaitable<Outcome> observe_screen(Executor* executor, Request request);

}  // namespace clawperator::act
