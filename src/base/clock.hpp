#pragma once
// The project's only clock: monotonic, and movable by hand in tests.
//
// A test switches to manual time with ManualTime (tests/support/manual_time.hpp); timers then
// fire when the hand-moved time passes their expiry, so an hour costs a millisecond.

#include <array>
#include <atomic>
#include <ctime>

#include "base/prelude.hpp"

namespace base {

struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    const auto manual = manual_now.load(std::memory_order_relaxed);
    if (manual >= 0) return time_point(duration(manual));
    return time_point(std::chrono::steady_clock::now().time_since_epoch());
  }

  // Nanoseconds of hand-moved time, negative while the real clock runs. Written by tests only.
  inline static std::atomic<rep> manual_now{-1};
};

inline std::chrono::microseconds micros_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
}

// Time since the epoch by this computer's wall clock, which users and other programs may set.
inline std::int64_t wall_milliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::floor<std::chrono::milliseconds>(now).count();
}

// "20260215T093000Z", for the name of a file.
inline std::string wall_stamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts)};
}

}  // namespace base
