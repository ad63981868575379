#pragma once
// One event loop for one test, and tasks run on it to their end. Exceptions that leave a task are
// rethrown in the test.
//
//   Loop loop;
//   auto version = loop.run(client.version());
//   auto read = loop.start(stream->read_some(buffer));   // goes on in the background
//   loop.settle();                                       // until nothing is ready any more
//   CHECK_FALSE(read->done());

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "adbproto/link/task.hpp"

namespace adbproto::testing {

template <class T>
class Started {
 public:
  [[nodiscard]] bool done() const { return outcome_.has_value() || exception_; }
  // Requires done().
  Result<T> result() {
    if (exception_) std::rethrow_exception(exception_);
    return *std::move(outcome_);
  }
  // What a user's Ctrl-C does; the task ends on the loop.
  void cancel() { cancel_.emit(asio::cancellation_type::terminal); }

 private:
  friend class Loop;
  std::optional<Result<T>> outcome_;
  std::exception_ptr exception_;
  asio::cancellation_signal cancel_;
};

class Loop {
 public:
  asio::any_io_executor executor() { return context_.get_executor(); }

  template <class T>
  std::shared_ptr<Started<T>> start(Task<T> task) {
    auto started = std::make_shared<Started<T>>();
    asio::co_spawn(
        context_, std::move(task),
        asio::bind_cancellation_slot(started->cancel_.slot(),
                                     [started](std::exception_ptr exception, Result<T> outcome) {
                                       started->exception_ = std::move(exception);
                                       if (!started->exception_)
                                         started->outcome_ = std::move(outcome);
                                     }));
    return started;
  }

  template <class T>
  Result<T> finish(const std::shared_ptr<Started<T>>& started) {
    while (!started->done()) {
      if (context_.stopped()) context_.restart();
      if (context_.run_one() == 0) throw std::logic_error("the task waits for nothing");
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
  void settle() {
    do {
      // An expired timer makes the loop look at all of them at once.
      Timer look(context_, Clock::time_point::min());
      look.async_wait([](const asio::error_code&) {});
      if (context_.stopped()) context_.restart();
    } while (context_.poll() > 1);
  }

 private:
  asio::io_context context_{1};
};

template <class T>
Result<T> run_task(Task<T> task) {
  return Loop().run(std::move(task));
}

}  // namespace adbproto::testing
