#pragma once
// Checks the points of one execution against the screen of its phone, before anything is sent. The
// query runs beside other waits; by the app's backend only for points that lie outside of the
// screen's last known size.

#include "base/async/signal.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/given_points.hpp"
#include "runtime/engine/screen_size.hpp"

namespace clawperator {

class PointCheck {
 public:
  void begin(const Execution& execution, const DeviceMemory& memory);
  // For a backend where the query costs no time.
  void ask_in_any_case() { asks_ = !points_.empty(); }
  [[nodiscard]] bool asks() const { return asks_; }
  // For asks(); notifies `answered`.
  asio::awaitable<void> ask(adbproto::Device* device, adbproto::Signal* answered);
  // Waits for the answer, and stores it. off_screen; where the phone reports no size the points are
  // sent.
  Task<void> judge(adbproto::Signal* answered, DeviceMemory* memory);

 private:
  std::vector<GivenPoint> points_;
  bool asks_ = false;
  std::optional<ScreenNow> now_;
};

}  // namespace clawperator
