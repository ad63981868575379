#include "runtime/device/forwarded_device.hpp"

#include "adbproto/client/transport_connection.hpp"

namespace clawperator {
namespace {

struct Kept {
  std::shared_ptr<void> keeps;  // goes last
  std::shared_ptr<adbproto::Device> device;
};

}  // namespace

Result<void> ForwardedDevice::on_incoming(
    std::function<void(std::unique_ptr<adbproto::IncomingStream>)> take) {
  return device_->on_incoming(std::move(take));
}

std::unique_ptr<adbproto::Device> forward_to(std::shared_ptr<adbproto::Device> device,
                                             std::shared_ptr<void> keeps) {
  const auto kept = std::make_shared<Kept>(std::move(keeps), std::move(device));
  return std::make_unique<ForwardedDevice>(
      std::shared_ptr<adbproto::Device>(kept, kept->device.get()));
}

}  // namespace clawperator
