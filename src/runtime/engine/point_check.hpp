#pragma once
// The points of one execution against the screen of its phone, before anything is sent. The phone
// is asked beside what is waited for anyway; by the app's backend only for points that do not lie
// in the screen as it was when it was asked last.

#include "base/async/signal.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/given_points.hpp"
#include "runtime/engine/screen_size.hpp"

namespace clawperator {

class PointCheck {
 public:
  void begin(const Execution& execution, const DeviceMemory& memory);
  // Where the question costs no time.
  void ask_in_any_case() { asks_ = !points_.empty(); }
  [[nodiscard]] bool asks() const { return asks_; }
  // Where asks(); `answered` is notified.
  asio::awaitable<void> ask(adbproto::Device* device, adbproto::Signal* answered);
  // Waits for the answer, and notes it. off_screen; where the phone tells no size the points are
  // sent.
  Task<void> judge(adbproto::Signal* answered, DeviceMemory* memory);

 private:
  std::vector<GivenPoint> points_;
  bool asks_ = false;
  std::optional<ScreenNow> now_;
};

}  // namespace clawperator
