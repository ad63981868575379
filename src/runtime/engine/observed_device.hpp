#pragma once
// A device that tells which services are opened through it, and when their streams end: for the
// debug events of the log, and to know whether a command has left.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "adbproto/client/device.hpp"

namespace clawperator {

// What of a service name may stand in a log: everything but the payload of a broadcast.
std::string redacted_service(std::string_view service);

class ObservedDevice final : public adbproto::Device {
 public:
  struct Observer {
    virtual ~Observer() = default;
    virtual void on_open(const std::string& service) = 0;
    // The device answered: the service runs, or was refused.
    virtual void on_opened(const std::string& service, const adbproto::Error* error) = 0;
    virtual void on_closed(const std::string& service, std::chrono::microseconds after,
                           std::size_t bytes) = 0;
  };

  // `observer` must outlive the device and its streams.
  ObservedDevice(std::unique_ptr<adbproto::Device> device, Observer* observer)
      : device_(std::move(device)), observer_(observer) {}

  adbproto::Task<adbproto::ByteStreamPtr> open(std::string service) override;
  [[nodiscard]] const std::string& serial() const override { return device_->serial(); }
  [[nodiscard]] const adbproto::FeatureSet& features() const override {
    return device_->features();
  }
  [[nodiscard]] std::string_view route() const override { return device_->route(); }
  [[nodiscard]] adbproto::RouteFacts facts() const override { return device_->facts(); }
  adbproto::Result<void> on_incoming(
      std::function<void(std::unique_ptr<adbproto::IncomingStream>)> take) override;
  asio::awaitable<void> wait_lost() override { return device_->wait_lost(); }
  void lose(std::string why) override { device_->lose(std::move(why)); }
  [[nodiscard]] std::size_t max_service_size() const override {
    return device_->max_service_size();
  }

 private:
  std::unique_ptr<adbproto::Device> device_;
  Observer* observer_;
};

}  // namespace clawperator
