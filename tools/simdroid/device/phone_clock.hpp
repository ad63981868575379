#pragma once
// The phone's wall clock: it starts at a given instant and moves with the project's clock, so a
// test that moves time by hand moves the phone's time too. The phone lives in UTC.

#include <chrono>

#include "simdroid/device/prelude.hpp"

namespace simdroid {

using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;

class PhoneClock {
 public:
  explicit PhoneClock(WallTime boot) : boot_(boot), started_(Clock::now()) {}

  [[nodiscard]] WallTime now() const { return boot_ + uptime() + correction_; }
  [[nodiscard]] std::chrono::nanoseconds uptime() const { return Clock::now() - started_; }

  // The network sets another time; zero: the first one again.
  void correct(std::chrono::nanoseconds by) { correction_ = by; }

 private:
  WallTime boot_;
  Clock::time_point started_;
  std::chrono::nanoseconds correction_{};
};

}  // namespace simdroid
