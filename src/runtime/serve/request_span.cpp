#include "runtime/serve/request_span.hpp"

#include <algorithm>
#include <utility>

namespace clawperator::serve {

// Two of them are none: nobody knows which is meant.
std::optional<Traceparent> traceparent_of(const http::Request& request) {
  const auto count = std::ranges::count(request.headers, "traceparent",
                                        [](const auto& header) { return header.first; });
  return count == 1 ? parse_traceparent(*request.header("traceparent")) : std::nullopt;
}

RequestSpan::RequestSpan(Trace* trace, const http::Request& request)
    : trace_(trace), own_(traceparent_of(request)) {
  if (trace_) title_ = request.method + " " + request.path;
  if (!own_) return;
  const std::string asking = std::exchange(own_->span_id, new_span_id());
  if (!trace_) return;
  own_->sampled = true;
  args_.text("traceId", own_->trace_id).text("parentSpanId", asking);
  args_.text("spanId", own_->span_id);
}

RequestSpan::~RequestSpan() {
  if (trace_) trace_->complete_on("http", clipped_for_trace(title_), start_, std::move(args_));
}

}  // namespace clawperator::serve
