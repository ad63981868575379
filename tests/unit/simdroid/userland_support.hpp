#pragma once
// A phone on a loop of its own, and scripts run on its shell.
//
//   TestPhone phone;
//   const Ran ran = phone.run("echo hi | wc -c");   // ran.out == "3\n", ran.status == 0

#include <memory>
#include <string>

#include "simdroid/userland/shell.hpp"
#include "support/run_task.hpp"

namespace simdroid::testing {

struct Ran {
  std::string out;
  std::string err;
  int status = 0;
};

class TestPhone {
 public:
  explicit TestPhone(PhoneOptions options = {})
      : phone_(std::make_unique<Phone>(loop_.executor(), std::move(options))) {}

  Phone& phone() { return *phone_; }
  adbproto::testing::Loop& loop() { return loop_; }

  Ran run(const std::string& script, const std::string& input = "") {
    const auto out = std::make_shared<Capture>(kLimit);
    const auto err = std::make_shared<Capture>(kLimit);
    Shell shell(phone_.get());
    const Io io{std::make_shared<PushbackInput>(text_source(input)), out, err};
    const auto status = loop_.run(shell.run_text(script, io));
    return {out->take(), err->take(), status.value_or(-1)};
  }

  std::string out(const std::string& script, const std::string& input = "") {
    return run(script, input).out;
  }

 private:
  static constexpr std::size_t kLimit = 64 * 1024 * 1024;
  adbproto::testing::Loop loop_;
  std::unique_ptr<Phone> phone_;
};

// 2026-01-02 03:04:05.678901234 UTC
inline WallTime sample_time() {
  using namespace std::chrono;
  return WallTime(sys_days(year(2026) / 1 / 2).time_since_epoch() + hours(3) + minutes(4) +
                  seconds(5) + nanoseconds(678'901'234));
}

}  // namespace simdroid::testing
