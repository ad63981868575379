#pragma once
// The one place that acts on a screen and reports what happened.
//
//   Request --> ref, nth, short ids --> Execution --> Executor --> effect, miss, candidates -->
//   Outcome

#include "runtime/act/request.hpp"

namespace clawperator::act {

// Returns an Outcome also for a request that fails. A cancelled one is unwound by an exception.
asio::awaitable<Outcome> perform(Executor* executor, Request request);

// For a touch that is no execution: APP_NOT_IN_FRONT where a snapshot shows another app in front
// than the one that the caller was shown. `what` is not used.
Task<void> check_app_shown(Executor* executor, Request request);

// Where a touch that is no execution hits the node of the request's ref, or of its Click: by one
// snapshot, in which that node alone is meant and is the one that was shown. Sends no touch.
// stale_ref, app_not_in_front, node_not_found, node_ambiguous, off_screen.
Task<Point> locate(Executor* executor, Request request);

// Reads the screen alone, after an action that was no execution: waits for `observe->settle`, then
// takes a snapshot. `what` is not used.
asio::awaitable<Outcome> observe_screen(Executor* executor, Request request);

}  // namespace clawperator::act
