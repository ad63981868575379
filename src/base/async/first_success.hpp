#pragma once
// Tries several ways to one result, so that a dead one costs little:
//
//   way 1 --failed, or silent for the head start--> way 2 beside it --> ... --> the first success
//
// The other running ways are then cancelled.

#include "base/async/signal.hpp"
#include "base/async/task.hpp"

namespace base {

template <class T>
struct Ways {
  Ways(const asio::any_io_executor& executor, std::vector<Task<T>> tasks)
      : all(std::move(tasks)), ended(executor) {}

  [[nodiscard]] bool succeeded() const { return outcome && *outcome; }

  std::vector<Task<T>> all;
  Signal ended;  // one of the ways
  std::size_t failed = 0;
  std::optional<Result<T>> outcome;  // the success, or the last failure
};

template <class T>
asio::awaitable<void> try_one(Ways<T>* ways, std::size_t at) {
  auto outcome = co_await std::move(ways->all[at]);
  if (ways->succeeded()) co_return;
  if (!outcome) ++ways->failed;
  ways->outcome = std::move(outcome);
  ways->ended.notify_all();
}

template <class T>
asio::awaitable<void> try_from(Ways<T>* ways, std::size_t at, std::chrono::milliseconds start) {
  using namespace base::parallel;
  if (at == ways->all.size()) co_return;
  if (ways->failed < at) co_await (ways->ended.wait() || sleep_for(start));
  co_await (try_one(ways, at) && try_from(ways, at + 1, start));
}

template <class T>
asio::awaitable<void> await_success(Ways<T>* ways) {
  while (!ways->succeeded()) co_await ways->ended.wait();
}

// Requires at least one way. Fails like the last one.
template <class T>
Task<T> first_success(std::vector<Task<T>> tasks, std::chrono::milliseconds head_start) {
  using namespace base::parallel;
  Ways<T> ways(co_await asio::this_coro::executor, std::move(tasks));
  co_await (try_from(&ways, 0, head_start) || await_success(&ways));
  if (!ways.outcome) co_return fail(errc::cancelled, "cancelled");
  co_return *std::move(ways.outcome);
}

}  // namespace base
