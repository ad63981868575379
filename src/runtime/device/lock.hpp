#pragma once
// Single-flight per device, across the processes of one user: an advisory lock on a file named by
// the device's identity. The file says who holds it, and until when a timed-out execution may
// still be running on the device.

#include <chrono>
#include <memory>
#include <string>

#include "adbproto/base/error.hpp"

namespace clawperator {

inline constexpr std::chrono::milliseconds kSettleWindow{2000};

class DeviceLock {
 public:
  // Fails at once with execution_conflict_in_flight, naming the holder's pid; the same command id
  // re-enters inside one process.
  static adbproto::Result<DeviceLock> acquire(const std::string& identity,
                                              const std::string& device_id,
                                              const std::string& command_id);

  DeviceLock(DeviceLock&&) noexcept;
  DeviceLock& operator=(DeviceLock&&) noexcept;
  DeviceLock(const DeviceLock&) = delete;
  DeviceLock& operator=(const DeviceLock&) = delete;
  ~DeviceLock();

  // The device may still be busy with a command that timed out; others wait kSettleWindow.
  void settle();

  struct Held;

 private:
  explicit DeviceLock(std::shared_ptr<Held> held);
  std::shared_ptr<Held> held_;
};

}  // namespace clawperator
