#pragma once
// Reads the screen as it is now, by an execution of its own.

#include "runtime/act/request.hpp"

namespace clawperator::act {

struct Look {
  UiTree screen;
  ExecuteResult result;
};

// Binds the rest of the request to the device that was reached. The screen is not kept.
Task<Look> look(Executor* executor, Request* request);

// The matcher with whole ids instead of short ones. `now`: the screen, where it was read already.
Task<NodeMatcher> whole_matcher(Executor* executor, Request* request, NodeMatcher matcher,
                                const UiTree* now = nullptr);

}  // namespace clawperator::act
