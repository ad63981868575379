#include "runtime/serve/event_hub.hpp"

#include <algorithm>
#include <utility>

namespace clawperator::serve {

void EventHub::publish(std::string_view name, std::string data) {
  held_bytes_ += data.size();
  held_.push_back(
      std::make_shared<const Event>(Event{++newest_, std::string(name), std::move(data)}));
  while (held_.size() > kHeld || (held_bytes_ > kHeldBytes && held_.size() > 1)) drop_oldest();
  published_.notify_all();
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
    if ((co_await asio::this_coro::cancellation_state).cancelled() != asio::cancellation_type::none)
      co_return fail(errc::cancelled, "cancelled");
  }
}

}  // namespace clawperator::serve
