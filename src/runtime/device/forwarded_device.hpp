#pragma once
// A device that forwards to another one under the same name. A class that changes a part of it
// inherits from it.

#include "adbproto/client/device.hpp"

namespace clawperator {

class ForwardedDevice : public adbproto::Device {
 public:
  explicit ForwardedDevice(std::shared_ptr<adbproto::Device> device) : device_(std::move(device)) {}

  Task<adbproto::ByteStreamPtr> open(std::string service) override {
    return device_->open(std::move(service));
  }
  [[nodiscard]] const std::string& serial() const override { return device_->serial(); }
  [[nodiscard]] const adbproto::FeatureSet& features() const override {
    return device_->features();
  }
  [[nodiscard]] std::string_view route() const override { return device_->route(); }
  [[nodiscard]] adbproto::RouteFacts facts() const override { return device_->facts(); }
  Result<void> on_incoming(
      std::function<void(std::unique_ptr<adbproto::IncomingStream>)> take) override;
  asio::awaitable<void> wait_lost() override { return device_->wait_lost(); }
  void lose(std::string why) override { device_->lose(std::move(why)); }
  [[nodiscard]] std::size_t max_service_size() const override {
    return device_->max_service_size();
  }

 protected:
  [[nodiscard]] const std::shared_ptr<adbproto::Device>& inner() const { return device_; }

 private:
  std::shared_ptr<adbproto::Device> device_;
};

// A shared device as an owned one. `keeps`: objects that must outlive the device, such as the USB
// bus it is on.
std::unique_ptr<adbproto::Device> forward_to(std::shared_ptr<adbproto::Device> device,
                                             std::shared_ptr<void> keeps = nullptr);

}  // namespace clawperator
