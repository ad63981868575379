#pragma once
// A device that an adb server holds, as a link of its own. When the server reports that the device
// is gone, all its streams end with link_lost at once, without waiting for the connections to the
// server.

#include "runtime/device/forwarded_device.hpp"

namespace clawperator {

class HeldDevice : public ForwardedDevice {
 public:
  using ForwardedDevice::ForwardedDevice;
  // Streams that were opened before keep working after the device object is gone.
  static std::shared_ptr<HeldDevice> make(const asio::any_io_executor& executor,
                                          std::unique_ptr<adbproto::Device> device);
  // Ends the streams that are open; open() fails with link_lost from here on, too.
  void lose(std::string why) override = 0;
  [[nodiscard]] virtual bool is_lost() const = 0;
};

}  // namespace clawperator
