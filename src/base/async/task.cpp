#include "base/async/task.hpp"

#include "base/async/parallel.hpp"
#include "base/async/signal.hpp"

namespace base {

asio::awaitable<void> sleep_for(Clock::duration duration) {
  Timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(kNoThrow);
}

Task<void> run_within(asio::awaitable<void> task, std::chrono::milliseconds limit,
                      std::string what) {
  const auto winner = co_await parallel::wait_for_first(std::move(task), sleep_for(limit));
  if (winner == 0) co_return ok();
  // Our own cancellation ends the sleep as well.
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) {
    co_return fail(errc::cancelled, what + " was cancelled");
  }
  co_return fail(errc::deadline_exceeded,
                 what + " took longer than " + std::to_string(limit.count()) + " ms");
}

}  // namespace base
