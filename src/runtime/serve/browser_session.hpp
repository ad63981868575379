#pragma once
// How a page in a browser comes to be let in: it shows the token once, and a cookie that no script
// reads stands for it from then on.

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// POST /session {"token"}: UNAUTHORIZED for another one. {"ok":true,"tokenRequired"}; without a
// token to ask for nothing is begun.
Task<http::Response> answer_begin_session(Service* service, Call call);
// DELETE /session ends those of the request's cookies.
Task<http::Response> answer_end_session(Service* service, Call call);

}  // namespace clawperator::serve
