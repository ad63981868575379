#pragma once
// The one way of doing something asynchronous: a Task<T> is awaited and yields a Result<T>.

#include <asio/awaitable.hpp>
#include <asio/basic_waitable_timer.hpp>
#include <asio/cancellation_state.hpp>
#include <asio/experimental/as_tuple.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <chrono>

#include "adbproto/base/clock.hpp"
#include "adbproto/base/error.hpp"

namespace adbproto {

template <class T>
using Task = asio::awaitable<Result<T>>;

// Asio operations awaited with this token never throw; the error code comes first.
inline constexpr auto kNoThrow = asio::experimental::as_tuple(asio::use_awaitable);

// Under manual time a timer looks at the clock again every millisecond of real time.
struct ClockWait {
  static Clock::duration to_wait_duration(Clock::duration left) {
    constexpr Clock::duration kLook = std::chrono::milliseconds(1);
    return Clock::manual_now.load(std::memory_order_relaxed) >= 0 && left > kLook ? kLook : left;
  }
  static Clock::duration to_wait_duration(Clock::time_point expiry) {
    return to_wait_duration(expiry - Clock::now());
  }
};

using Timer = asio::basic_waitable_timer<Clock, ClockWait>;

inline asio::awaitable<void> sleep_for(Clock::duration duration) {
  Timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(kNoThrow);
}

// Cancels `operation` when the time is up. Costs a timer and two cancellation slots (7-9 us), so
// wrap a whole exchange, not each read of it. `what` names the exchange in the message.
template <class T>
Task<T> with_deadline(Task<T> operation, std::chrono::milliseconds limit, std::string what) {
  using namespace asio::experimental::awaitable_operators;
  auto winner = co_await (std::move(operation) || sleep_for(limit));
  if (winner.index() == 1) {
    // Our own cancellation ends the sleep as well.
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
      co_return fail(Errc::cancelled, what + " was cancelled");
    }
    co_return fail(Errc::deadline_exceeded,
                   what + " took longer than " + std::to_string(limit.count()) + " ms");
  }
  co_return std::get<0>(std::move(winner));
}

}  // namespace adbproto
