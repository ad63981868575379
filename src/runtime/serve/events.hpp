#pragma once
// GET /events: what happens, as server-sent events.

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

inline constexpr std::size_t kMaxEventStreams = 1000;

// too_many_requests beyond kMaxEventStreams.
Task<http::Response> answer_events(Service* service, Call call);

}  // namespace clawperator::serve
