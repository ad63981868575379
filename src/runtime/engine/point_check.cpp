#include "runtime/engine/point_check.hpp"

namespace clawperator {

void PointCheck::begin(const Execution& execution, const DeviceMemory& memory) {
  points_ = given_points(execution);
  asks_ = !all_on_screen(points_, {memory.screen_width, memory.screen_height});
}

asio::awaitable<void> PointCheck::ask(adbproto::Device* device, adbproto::Signal* answered) {
  if (!asks_) co_return;
  now_ = co_await ask_screen_now(device);
  answered->notify_all();
}

Task<void> PointCheck::judge(adbproto::Signal* answered, DeviceMemory* memory) {
  if (!asks_) co_return ok();
  if (!co_await adbproto::wait_until(answered, [this] { return now_.has_value(); })) {
    co_return fail(errc::cancelled, "cancelled");
  }
  if (now_->size) {
    memory->screen_width = now_->size->width;
    memory->screen_height = now_->size->height;
  }
  co_return check_points(points_, now_->size);
}

}  // namespace clawperator
