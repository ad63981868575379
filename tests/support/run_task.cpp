#include "support/run_task.hpp"

#include <algorithm>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <ctime>

#include "base/async/blocking.hpp"

namespace adbproto::testing {

struct Running::Signal {
  asio::cancellation_signal cancel;
};

Running::Running() : signal_(std::make_shared<Signal>()) {}

void Running::cancel() { signal_->cancel.emit(asio::cancellation_type::terminal); }

struct Loop::State {
  asio::io_context context{1};
  std::chrono::nanoseconds longest_hold{};

  bool run_one() {
    if (context.stopped()) context.restart();
    return hold([this] { return context.run_one(); });
  }
  std::size_t poll() {
    if (context.stopped()) context.restart();
    std::size_t count = 0;
    while (hold([this] { return context.poll_one(); })) ++count;
    return count;
  }

 private:
  static std::chrono::nanoseconds processor_time() {
    timespec spent{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
  }
  template <class Work>
  bool hold(Work work) {
    const auto start = processor_time();
    const bool worked = work() > 0;
    longest_hold = std::max(longest_hold, processor_time() - start);
    return worked;
  }
};

Loop::Loop() : state_(std::make_unique<State>()) {}
Loop::~Loop() = default;

asio::any_io_executor Loop::executor() { return state_->context.get_executor(); }

void Loop::spawn(asio::awaitable<void> work, std::shared_ptr<Running> running) {
  asio::co_spawn(state_->context, std::move(work),
                 asio::bind_cancellation_slot(running->signal_->cancel.slot(),
                                              [running](std::exception_ptr exception) {
                                                running->exception_ = std::move(exception);
                                                running->ended_ = true;
                                              }));
}

bool Loop::run_one() { return state_->run_one(); }

void Loop::settle() {
  do {
    // An expired timer makes the loop look at all of them at once.
    Timer look(state_->context, Clock::time_point::min());
    look.async_wait([](const asio::error_code&) {});
  } while (state_->poll() > 1);
}

void Loop::settle_with_pool() {
  settle();
  while (BlockingPool::is_awaited(state_->context)) {
    run_one();
    settle();
  }
}

std::chrono::nanoseconds Loop::longest_hold() const { return state_->longest_hold; }

}  // namespace adbproto::testing
