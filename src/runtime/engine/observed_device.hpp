#pragma once
// A device that reports which services are opened through it and when their streams end: for the
// debug events of the log, and to know whether a command has left.

#include "runtime/device/forwarded_device.hpp"

namespace clawperator {

// Whether this is the broadcast of an execution, or the shell that reads one too long for a name.
bool is_dispatch(std::string_view service);

class ObservedDevice final : public ForwardedDevice {
 public:
  struct Observer {
    virtual ~Observer() = default;
    virtual void on_open(const std::string& service) = 0;
    // The device answered: the service runs, or was refused.
    virtual void on_opened(const std::string& service, const Error* error) = 0;
    virtual void on_closed(const std::string& service, std::chrono::microseconds after,
                           std::size_t bytes) = 0;
  };

  // `observer` must outlive the device and its streams.
  ObservedDevice(std::shared_ptr<adbproto::Device> device, Observer* observer)
      : ForwardedDevice(std::move(device)), observer_(observer) {}

  Task<adbproto::ByteStreamPtr> open(std::string service) override;

 private:
  Observer* observer_;
};

}  // namespace clawperator
