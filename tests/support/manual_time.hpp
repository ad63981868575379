#pragma once
// Hand-moved time for as long as it lives; make it before the loop's first timer.
//
//   ManualTime time;
//   auto reply = time.run(loop, client.version());   // moves the time whenever nothing is ready
//
// It stands still while the pool works for somebody.

#include <stdexcept>

#include "support/run_task.hpp"

namespace adbproto::testing {

class ManualTime {
 public:
  ManualTime() { Clock::manual_now = std::chrono::nanoseconds(std::chrono::hours(1)).count(); }
  ~ManualTime() { Clock::manual_now = -1; }
  ManualTime(const ManualTime&) = delete;
  ManualTime& operator=(const ManualTime&) = delete;

  // Everything that is ready now happens before the time moves, and what the move brings after it.
  void advance(Loop& loop, Clock::duration by) {
    loop.settle_with_pool();
    Clock::manual_now += by.count();
    loop.settle_with_pool();
  }

  [[nodiscard]] Clock::duration elapsed() const { return Clock::now() - start_; }

  template <class T>
  Result<T> finish(Loop& loop, const std::shared_ptr<Started<T>>& started,
                   Clock::duration step = std::chrono::milliseconds(100)) {
    constexpr int kMaxSteps = 20'000;
    for (int i = 0; i < kMaxSteps; ++i) {
      loop.settle_with_pool();
      if (started->done()) return started->result();
      Clock::manual_now += step.count();
    }
    throw std::logic_error("the task does not end");
  }
  template <class T>
  Result<T> run(Loop& loop, Task<T> task, Clock::duration step = std::chrono::milliseconds(100)) {
    return finish(loop, loop.start(std::move(task)), step);
  }

 private:
  static Clock::duration first() { return std::chrono::hours(1); }
  Clock::time_point start_{first()};
};

}  // namespace adbproto::testing
