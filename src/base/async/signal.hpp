#pragma once
// A condition for coroutines of one thread: wait() sleeps until notify_all(). A notification
// without a waiter is lost, so waiters check their condition in a loop.

#include <asio/cancellation_state.hpp>

#include "base/async/task.hpp"

namespace base {

class Signal {
 public:
  explicit Signal(const asio::any_io_executor& executor)
      : timer_(executor, Clock::time_point::max()) {}

  // Returns when notified, and when the waiting coroutine is cancelled.
  asio::awaitable<void> wait() { co_await timer_.async_wait(kNoThrow); }
  void notify_all() { timer_.cancel(); }

 private:
  Timer timer_;
};

// The rest of this header is for a coroutine that usually loses its race (`a || b`). These waits
// return when the coroutine is cancelled, without an exception. A cancelled coroutine that awaits
// again is unwound frame by frame by an exception, which costs more than the race itself.
//
//   if (!co_await wait_until(&signal, holds)) co_return;  // cancelled: nothing is awaited any more
//   co_await until_cancelled();                           // for the side that never wins
//   co_return;

// Reads `co_await asio::this_coro::cancellation_state`, the only thing that may be awaited then.
inline bool is_cancelled(const asio::cancellation_state& state) {
  return state.cancelled() != asio::cancellation_type::none;
}

inline asio::awaitable<void> until_cancelled() {
  Timer never(co_await asio::this_coro::executor, Clock::time_point::max());
  co_await never.async_wait(kNoThrow);
}

// Waits until `holds` is true; false when it is cancelled.
template <class Holds>
asio::awaitable<bool> wait_until(Signal* signal, Holds holds) {
  while (!holds()) {
    co_await signal->wait();
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return false;
  }
  co_return true;
}

}  // namespace base
