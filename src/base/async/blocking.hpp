#pragma once
// Runs work that blocks or computes for long beside the event loop. The result comes back to the
// coroutine that awaits it.
//
//   CO_TRY(auto text, co_await run_blocking([path] { return read_whole(path); }));
//
// The work cannot be interrupted: a cancelled caller resumes when it has ended, and the loop's end
// waits for it. So it may use what its caller owns.

#include <asio/any_io_executor.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/execution_context.hpp>
#include <asio/thread_pool.hpp>
#include <exception>

#include "base/async/task.hpp"
#include "base/counted.hpp"

namespace base {

// `work() -> Result<T>`; only the allocator throws.
template <class Work>
Task<typename decltype(std::declval<Work>()())::value_type> run_on(asio::thread_pool* pool,
                                                                   Work work) {
  using Outcome = decltype(work());
  auto [exception, outcome] = co_await asio::co_spawn(
      pool->get_executor(),
      [](Work call) -> asio::awaitable<Outcome> { co_return call(); }(std::move(work)),
      // Asio would pass the caller's cancellation to the other thread without synchronisation.
      asio::bind_cancellation_slot(asio::cancellation_slot(), kNoThrow));
  if (exception) co_return fail(errc::cancelled, "cancelled");
  co_return std::move(outcome);
}

// The pool belongs to an event loop; its threads start with the first work.
class BlockingPool final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit BlockingPool(asio::execution_context& owner) : service(owner) {}
  static BlockingPool& of(const asio::any_io_executor& executor) {
    return asio::use_service<BlockingPool>(asio::query(executor, asio::execution::context));
  }
  // True while a coroutine on this loop waits for the pool; manual time must stand still then.
  static bool is_awaited(asio::execution_context& loop) {
    return asio::has_service<BlockingPool>(loop) &&
           asio::use_service<BlockingPool>(loop).awaited_ > 0;
  }

  template <class Work>
  Task<typename decltype(std::declval<Work>()())::value_type> run(Work work) {
    if (!pool_) pool_.emplace(kThreads);
    const base::Counted waiter(&awaited_);
    co_return co_await run_on(&*pool_, std::move(work));
  }

 private:
  static constexpr std::size_t kThreads = 2;
  void shutdown() override {
    if (pool_) pool_->join();
  }
  std::optional<asio::thread_pool> pool_;
  std::size_t awaited_ = 0;  // on the loop's thread
};

template <class Work>
Task<typename decltype(std::declval<Work>()())::value_type> run_blocking(Work work) {
  co_return co_await BlockingPool::of(co_await asio::this_coro::executor).run(std::move(work));
}

// On the pool if it takes long, else here.
template <class Work>
Task<typename decltype(std::declval<Work>()())::value_type> run_blocking_if(bool takes_long,
                                                                            Work work) {
  if (takes_long) co_return co_await run_blocking(std::move(work));
  co_return work();
}

}  // namespace base
