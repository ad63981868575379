#include "runtime/device/forwarded_device.hpp"

#include "adbproto/client/transport_connection.hpp"

namespace clawperator {
namespace {

using adbproto::Device;

class ForwardedDevice final : public Device {
 public:
  ForwardedDevice(std::shared_ptr<Device> device, std::shared_ptr<void> keeps)
      : keeps_(std::move(keeps)), device_(std::move(device)) {}

  adbproto::Task<adbproto::ByteStreamPtr> open(std::string service) override {
    return device_->open(std::move(service));
  }
  [[nodiscard]] const std::string& serial() const override { return device_->serial(); }
  [[nodiscard]] const adbproto::FeatureSet& features() const override {
    return device_->features();
  }
  [[nodiscard]] std::string_view route() const override { return device_->route(); }
  [[nodiscard]] adbproto::RouteFacts facts() const override { return device_->facts(); }
  adbproto::Result<void> on_incoming(
      std::function<void(std::unique_ptr<adbproto::IncomingStream>)> take) override {
    return device_->on_incoming(std::move(take));
  }
  asio::awaitable<void> wait_lost() override { return device_->wait_lost(); }
  void lose(std::string why) override { device_->lose(std::move(why)); }
  [[nodiscard]] std::size_t max_service_size() const override {
    return device_->max_service_size();
  }

 private:
  std::shared_ptr<void> keeps_;  // goes last
  std::shared_ptr<Device> device_;
};

}  // namespace

std::unique_ptr<Device> forward_to(std::shared_ptr<Device> device, std::shared_ptr<void> keeps) {
  return std::make_unique<ForwardedDevice>(std::move(device), std::move(keeps));
}

}  // namespace clawperator
