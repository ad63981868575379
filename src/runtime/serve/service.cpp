#include "runtime/serve/service.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/json_text.hpp"
#include "runtime/act/stamp.hpp"

namespace clawperator::serve {

TargetOptions target_of(const Defaults& defaults, std::optional<std::string> device) {
  TargetOptions target = defaults.target;
  if (!device) return target;
  target.device = std::move(device);
  target.honour_android_serial = false;
  return target;
}

std::int64_t next_stamp(Service* service) {
  service->last_stamp = std::max(act::Stamp::now().epoch_ms, service->last_stamp + 1);
  return service->last_stamp;
}

http::Response error_answer(const Error& error) {
  return {.status = error.code()->http_status,
          .body = JsonObject()
                      .boolean("ok", false)
                      .json("error", to_json(restated(error, Reader::http)))
                      .str()};
}

http::Response ok_answer(const std::string& object) {
  std::string body = R"({"ok":true)";
  if (object.size() > 2) body += "," + object.substr(1, object.size() - 2);
  return {.body = body + "}"};
}

// Two of them count as none: which one is right is unknown.
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
