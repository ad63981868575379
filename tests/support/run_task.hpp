#pragma once
// One event loop for one test, and tasks run on it to their end. Exceptions that leave a task are
// rethrown in the test.
//
//   Loop loop;
//   auto version = loop.run(client.version());
//   auto read = loop.start(stream->read_some(buffer));   // goes on in the background
//   loop.settle();                                       // until nothing is ready any more
//   CHECK_FALSE(read->done());

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/async/task.hpp"

namespace adbproto::testing {

// What was started, without its result.
class Running {
 public:
  virtual ~Running() = default;
  // What a user's Ctrl-C does; the task ends on the loop.
  void cancel();
  [[nodiscard]] bool done() const { return ended_; }

 protected:
  Running();
  [[nodiscard]] const std::exception_ptr& exception() const { return exception_; }

 private:
  friend class Loop;
  struct Signal;
  std::shared_ptr<Signal> signal_;
  std::exception_ptr exception_;
  bool ended_ = false;
};

template <class T>
class Started final : public Running {
 public:
  // Requires done().
  Result<T> result() {
    if (exception()) std::rethrow_exception(exception());
    return *std::move(outcome_);
  }

 private:
  friend class Loop;
  std::optional<Result<T>> outcome_;
};

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  asio::any_io_executor executor();

  template <class T>
  std::shared_ptr<Started<T>> start(Task<T> task) {
    auto started = std::make_shared<Started<T>>();
    spawn(parallel::keep(std::move(task), &started->outcome_), started);
    return started;
  }

  template <class T>
  Result<T> finish(const std::shared_ptr<Started<T>>& started) {
    while (!started->done()) {
      if (!run_one()) throw std::logic_error("the task waits for nothing");
    }
    return started->result();
  }

  // Does it end with an exception, as a task that was cancelled may?
  template <class T>
  bool finish_throws(const std::shared_ptr<Started<T>>& started) {
    try {
      [[maybe_unused]] const auto ended = finish(started);
      return false;
    } catch (const std::exception&) {
      return true;
    }
  }

  template <class T>
  Result<T> run(Task<T> task) {
    return finish(start(std::move(task)));
  }

  // Runs what is ready, timers whose time has come included, until nothing is.
  void settle();
  // The same, and until the pool has done what somebody waits for.
  void settle_with_pool();

  // What of the processor's time the loop was held by one piece of work without a break, at most:
  // everybody else waited as long.
  [[nodiscard]] std::chrono::nanoseconds longest_hold() const;

 private:
  void spawn(asio::awaitable<void> work, std::shared_ptr<Running> running);
  bool run_one();

  struct State;
  std::unique_ptr<State> state_;
};

template <class T>
Result<T> run_task(Task<T> task) {
  return Loop().run(std::move(task));
}

}  // namespace adbproto::testing
