#include "adbproto/link/task.hpp"

#include <asio/cancellation_state.hpp>
#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>

namespace adbproto {

asio::awaitable<void> sleep_for(Clock::duration duration) {
  Timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(kNoThrow);
}

Task<void> run_within(asio::awaitable<void> task, std::chrono::milliseconds limit,
                      std::string what) {
  const auto winner = co_await parallel::wait_for_first(std::move(task), sleep_for(limit));
  if (winner == 0) co_return ok();
  // Our own cancellation ends the sleep as well.
  const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    co_return fail(errc::cancelled, what + " was cancelled");
  }
  co_return fail(errc::deadline_exceeded,
                 what + " took longer than " + std::to_string(limit.count()) + " ms");
}

}  // namespace adbproto

namespace adbproto::parallel {

namespace operators = asio::experimental::awaitable_operators;

asio::awaitable<void> detail::wait_for_both(asio::awaitable<void> left,
                                            asio::awaitable<void> right) {
  co_await operators::operator&&(std::move(left), std::move(right));
}

asio::awaitable<void> apart(asio::awaitable<void> task) {
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::co_spawn(executor, std::move(task), asio::use_awaitable);
}

asio::awaitable<std::size_t> wait_for_first(asio::awaitable<void> left,
                                            asio::awaitable<void> right) {
  const auto winner = co_await operators::operator||(std::move(left), std::move(right));
  co_return winner.index();
}

}  // namespace adbproto::parallel
