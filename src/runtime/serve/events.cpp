#include "runtime/serve/events.hpp"

#include "runtime/contract/errc.hpp"
#include "runtime/http/event_stream.hpp"

namespace clawperator::serve {
namespace {

constexpr auto kKeepAlive = std::chrono::seconds(15);
constexpr std::string_view kConnected =
    R"({"code":"CONNECTED","message":"Clawperator SSE stream active"})";

// One of the streams that are open, as long as it is.
class OpenStream {
 public:
  explicit OpenStream(Service* service) : service_(service) { ++service_->event_streams; }
  OpenStream(const OpenStream&) = delete;
  OpenStream& operator=(const OpenStream&) = delete;
  ~OpenStream() { --service_->event_streams; }

 private:
  Service* service_;
};

// A comment in a quiet time keeps what lies between from closing an idle connection.
Task<void> write_events(Service* service, std::uint64_t seen, http::BodyWriter* out) {
  const OpenStream counted(service);
  CO_TRY_VOID(co_await out->write(http::event_frame(std::nullopt, "heartbeat", kConnected)));
  for (;;) {
    const auto event = co_await with_deadline(service->events.next(seen), kKeepAlive, "an event");
    if (event) {
      seen = (*event)->id;
      CO_TRY_VOID(co_await out->write(http::event_frame(seen, (*event)->name, (*event)->data)));
    } else if (event.error().code() == errc::deadline_exceeded) {
      CO_TRY_VOID(co_await out->write(http::comment_frame("keep-alive")));
    } else {
      co_return std::unexpected(event.error());
    }
  }
}

}  // namespace

Task<http::Response> answer_events(Service* service, Call call) {
  if (service->event_streams >= kMaxEventStreams) {
    co_return fail(errc::too_many_requests, "1000 event streams are open");
  }
  const std::uint64_t seen = http::last_event_id(call.request).value_or(service->events.newest());
  http::Response answer{.content_type = std::string(http::kEventStream)};
  answer.headers.emplace_back("Cache-Control", "no-cache");
  answer.stream = [service, seen](http::BodyWriter* out) {
    return write_events(service, seen, out);
  };
  co_return answer;
}

}  // namespace clawperator::serve
