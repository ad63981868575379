#include "runtime/serve/routes.hpp"

#include <algorithm>

#include "base/counted.hpp"
#include "runtime/http/response.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/request_body.hpp"

namespace clawperator::serve {
namespace {

// Proxies close a silent connection after a minute or less (nginx: 60 s).
constexpr auto kKeepAlive = std::chrono::seconds(15);
constexpr std::string_view kConnected =
    R"({"code":"CONNECTED","message":"Clawperator SSE stream active"})";

// How far a reader has come; without `stage` it does not want them.
struct Position {
  std::uint64_t event = 0;
  std::optional<std::uint64_t> stage{};
};

// {"code","message","lastEventId","missed"}; the reader goes on after it.
std::optional<std::string> gap_frame(const Service* service, Position* at) {
  const auto gap = service->events.gap_after(at->event);
  if (!gap) return std::nullopt;
  JsonObject data;
  data.text("code", "EVENTS_MISSED");
  data.text("message", "events after " + std::to_string(at->event) +
                           " are no longer held; read the state anew");
  data.number("lastEventId", static_cast<std::int64_t>(at->event));
  if (gap->missed) data.number("missed", static_cast<std::int64_t>(*gap->missed));
  if (!gap->missed) data.null("missed");
  at->event = gap->resume;
  return http::event_frame(std::nullopt, "clawperator:gap", data.str());
}

// Where a stage and an event are ready, the stage comes first: it was published before the result
// that it led to. Stages have no id, so a reader that reconnects does not get them again.
Task<std::string> next_frame(Service* service, Position* at) {
  using namespace base::parallel;
  Result<std::shared_ptr<const Event>> event;
  if (auto gap = gap_frame(service, at)) co_return *std::move(gap);
  if (at->stage) {
    auto first = co_await (service->events.next(at->event) || service->stages.next(*at->stage));
    if (service->stages.newest() > *at->stage) {
      CO_TRY(const auto stage, co_await service->stages.next(*at->stage));
      at->stage = stage->id;
      co_return http::event_frame(std::nullopt, stage->name, stage->data);
    }
    if (first.index() == 1) co_return std::unexpected(std::get<1>(std::move(first)).error());
    event = std::get<0>(std::move(first));
  } else {
    event = co_await service->events.next(at->event);
  }
  if (!event) co_return std::unexpected(event.error());
  if (auto gap = gap_frame(service, at)) co_return *std::move(gap);  // it came while we waited
  at->event = (*event)->id;
  co_return http::event_frame(at->event, (*event)->name, (*event)->data);
}

// A comment in a quiet time keeps what lies between from closing an idle connection.
Task<void> write_events(Service* service, Position at, http::BodyWriter* out) {
  const base::Counted open(&service->event_streams);
  CO_TRY_VOID(co_await out->write(http::event_frame(std::nullopt, "heartbeat", kConnected)));
  for (;;) {
    Position next = at;  // a frame that the deadline cut off is requested again
    const auto frame = co_await with_deadline(next_frame(service, &next), kKeepAlive, "an event");
    if (frame) {
      at = next;
      CO_TRY_VOID(co_await out->write(*frame));
    } else if (frame.error().code() == errc::deadline_exceeded) {
      CO_TRY_VOID(co_await out->write(http::comment_frame("keep-alive")));
    } else {
      co_return std::unexpected(frame.error());
    }
  }
}

}  // namespace

void EventHub::publish(std::string_view name, std::string data) {
  held_bytes_ += data.size();
  held_.push_back(
      std::make_shared<const Event>(Event{++newest_, std::string(name), std::move(data)}));
  while (held_.size() > kHeld || (held_bytes_ > kHeldBytes && held_.size() > 1)) drop_oldest();
  published_.notify_all();
}

std::optional<EventHub::Gap> EventHub::gap_after(std::uint64_t seen) const {
  const std::uint64_t resume = newest_ - held_.size();
  if (seen == 0 || (seen >= resume && seen <= newest_)) return std::nullopt;
  const bool is_ours = seen >= start_ && seen <= newest_;
  return Gap{resume, is_ours ? std::optional(resume - seen) : std::nullopt};
}

void EventHub::drop_oldest() {
  held_bytes_ -= held_.front()->data.size();
  held_.pop_front();
}

Task<std::shared_ptr<const Event>> EventHub::next(std::uint64_t seen) {
  if (seen > newest_) seen = 0;
  for (;;) {
    const auto at =
        std::ranges::upper_bound(held_, seen, {}, [](const auto& event) { return event->id; });
    if (at != held_.end()) co_return *at;
    co_await published_.wait();
    if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state))
      co_return fail(errc::cancelled, "cancelled");
  }
}

Task<http::Response> answer_events(Service* service, Call call) {
  if (service->event_streams >= kMaxEventStreams) {
    co_return fail(errc::too_many_requests, "1000 event streams are open");
  }
  CO_TRY(const bool stages, read_flag(call.request, "stages", false));
  Position at{http::last_event_id(call.request).value_or(service->events.newest())};
  if (stages) at.stage = service->stages.newest();
  http::Response answer{.content_type = std::string(http::kEventStream)};
  answer.headers.emplace_back("Cache-Control", "no-cache");
  answer.stream = [service, at](http::BodyWriter* out) { return write_events(service, at, out); };
  co_return answer;
}

}  // namespace clawperator::serve
