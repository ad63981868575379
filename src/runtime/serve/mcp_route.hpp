#pragma once
// POST /mcp: the Model Context Protocol over HTTP, a message a request, no sessions.

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

Task<http::Response> answer_mcp(Service* service, Call call);

}  // namespace clawperator::serve
