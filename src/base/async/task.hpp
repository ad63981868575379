#pragma once
// The project's form of asynchronous work: a Task<T> is awaited and returns a Result<T>.

#include <asio/awaitable.hpp>
#include <asio/basic_waitable_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#if __has_include(<asio/as_tuple.hpp>)
#include <asio/as_tuple.hpp>
#else  // before Asio 1.24
#include <asio/experimental/as_tuple.hpp>
#endif

#include "base/async/parallel.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"

namespace base {

template <class T>
using Task = asio::awaitable<Result<T>>;

// Asio operations awaited with this token never throw; the error code comes first.
#if __has_include(<asio/as_tuple.hpp>)
inline constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
#else
inline constexpr auto kNoThrow = asio::experimental::as_tuple(asio::use_awaitable);
#endif

// How long a timer sleeps before it reads the clock again. Under manual time (tests): at most a
// millisecond of real time, because nothing reports that the clock was moved.
struct ClockWait {
  static Clock::duration to_wait_duration(Clock::duration left) {
    // Real time: the longest delay between the move of a manual clock and the timer's end.
    constexpr Clock::duration kPollPause = std::chrono::milliseconds(1);
    return Clock::manual_now.load(std::memory_order_relaxed) >= 0 && left > kPollPause ? kPollPause
                                                                                       : left;
  }
  static Clock::duration to_wait_duration(Clock::time_point expiry) {
    return to_wait_duration(expiry - Clock::now());
  }
};

using Timer = asio::basic_waitable_timer<Clock, ClockWait>;

// Ends early, without an error, when it is cancelled.
asio::awaitable<void> sleep_for(Clock::duration duration);

// Awaits `task` for at most `limit`, then cancels it: deadline_exceeded. A caller that is cancelled
// cancels `task`, too: `cancelled`.
Task<void> run_within(asio::awaitable<void> task, std::chrono::milliseconds limit,
                      std::string what);

// Cancels `operation` when the time is up. Costs a timer and two cancellation slots (7-9 us), so
// wrap a whole exchange, not each of its reads. `what` names the exchange in the message.
template <class T>
Task<T> with_deadline(Task<T> operation, std::chrono::milliseconds limit, std::string what) {
  std::optional<Result<T>> result;
  CO_TRY_VOID(
      co_await run_within(parallel::keep(std::move(operation), &result), limit, std::move(what)));
  co_return *std::move(result);
}

}  // namespace base
