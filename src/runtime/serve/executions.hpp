#pragma once
// Executions over HTTP: from what a request asks to its answer, and what the events tell of it.

#include <string>

#include "runtime/act/snapshot.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/serve/request_body.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// What became of an execution, whoever asked for it: it is counted, and the events tell it before
// the answer is given. `execution` is nullptr for what could not be judged; `input` is what was
// asked for, as JSON text, `more` what stands beside the envelope. The pointers must live until the
// task ends.
asio::awaitable<http::Response> tell_outcome(Service* service, const Execution* execution,
                                             std::string input,
                                             std::optional<std::string> device_id,
                                             const Result<ExecuteResult>* result,
                                             JsonObject more = {});

Task<http::Response> answer_execute(Service* service, Call call);
Task<http::Response> answer_snapshot(Service* service, Call call);
Task<http::Response> answer_screenshot(Service* service, Call call);
// GET /devices/:serial/snapshot?format=xml|compact|json&since=HASH, the tree itself.
Task<http::Response> answer_tree(Service* service, Call call);
// GET /devices/:serial/screenshot.png and .jpg, the picture itself.
Task<http::Response> answer_png(Service* service, Call call);
Task<http::Response> answer_jpeg(Service* service, Call call);

}  // namespace clawperator::serve
