#include "adbproto/link/task.hpp"

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/cancellation_state.hpp>
#include <asio/co_spawn.hpp>
#include <exception>
#include <memory>

namespace adbproto {
namespace {

// Shared with the timer, whose handler may be under way when the race is over.
struct Race {
  asio::cancellation_signal cancel;
  bool is_over = false;
  bool is_late = false;
  bool is_cancelled = false;
};

}  // namespace

asio::awaitable<void> sleep_for(Clock::duration duration) {
  Timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(kNoThrow);
}

// One coroutine beside this one; the time needs none.
Task<void> run_within(asio::awaitable<void> task, std::chrono::milliseconds limit,
                      std::string what) {
  const auto executor = co_await asio::this_coro::executor;
  const auto race = std::make_shared<Race>();
  Timer timer(executor, limit);
  timer.async_wait([race](const asio::error_code& error) {
    if (error || race->is_over) return;
    race->is_late = true;
    race->cancel.emit(asio::cancellation_type::terminal);
  });
  auto from_outside = (co_await asio::this_coro::cancellation_state).slot();
  if (from_outside.is_connected()) {
    from_outside.assign([race](asio::cancellation_type type) {
      race->is_cancelled = true;
      race->cancel.emit(type);
    });
  }
  auto [exception] = co_await asio::co_spawn(
      executor, std::move(task), asio::bind_cancellation_slot(race->cancel.slot(), kNoThrow));
  race->is_over = true;
  timer.cancel();
  if (race->is_late) {
    co_return fail(errc::deadline_exceeded,
                   what + " took longer than " + std::to_string(limit.count()) + " ms");
  }
  if (!exception) co_return ok();
  if (race->is_cancelled) co_return fail(errc::cancelled, what + " was cancelled");
  std::rethrow_exception(exception);
}

}  // namespace adbproto
