#pragma once
// The durations of the simulated device: a table per profile, and the one seeded source of jitter.
// `zero` has only zeros: nothing is slower than its own work. `phone` has round numbers of a
// mid-range phone.
//
//   duration drawn = base + uniform(0 .. spread)

#include <chrono>
#include <cstdint>

#include "base/clock.hpp"

namespace simdroid {

using Time = adbproto::Clock::time_point;
using Duration = adbproto::Clock::duration;

enum class Profile : std::uint8_t { zero, phone };

struct Cost {
  Duration base{};
  Duration spread{};

  bool operator==(const Cost&) const = default;
};

struct Latencies {
  // The shell and its tools.
  Cost shell_start;       // sh and toolbox commands: getprop, cat, true
  Cost app_process;       // tools that start a VM: am, pm, input, uiautomator
  Cost cmd_service;       // `cmd` and abb_exec: a binder call without a VM
  Cost logcat_start;      // until logcat's first output
  Cost capture;           // screencap: grab the frame
  Cost encode_png;        // screencap -p: compress the frame, on top of `capture`
  Cost uiautomator_dump;  // waits for an idle screen, on top of `app_process`
  // The Operator app.
  Cost broadcast;      // am's call until the receiver runs
  Cost accessibility;  // one read of the node tree
  Cost hierarchy;      // serialise and log the tree
  Cost action;         // one performAction or gesture dispatch
  Cost launch;         // an activity until its window is focused
  Cost between_steps;  // book-keeping of the app between two steps
  Cost record_pause;   // before each record of a long result but the first

  bool operator==(const Latencies&) const = default;
};

Latencies latencies(Profile profile);

// Deterministic: the same seed gives the same sequence on every platform.
class Jitter {
 public:
  explicit Jitter(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  double unit();  // [0, 1)
  Duration draw(const Cost& cost);

 private:
  std::uint64_t state_;
};

}  // namespace simdroid
