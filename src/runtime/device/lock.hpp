#pragma once
// Single-flight per device, across the processes of one user: advisory locks on files named by the
// device's identity, in the folders of runtime_folder.hpp. A file contains its holder, and until
// when a timed-out execution may still be running on the device.

#include "base/error.hpp"

namespace clawperator {

// As upstream's command line documents. The app may still finish its step; a longer time delays
// each retry.
inline constexpr std::chrono::milliseconds kSettleWindow{2000};

// The name of a lock: the phone, whichever way leads to it. All emulators of one version share
// their ro.serialno, and so do cheap phones; the boot id distinguishes them, and where the shell
// may not read it, the serial by which the device was reached.
std::string lock_identity(const std::string& serialno, const std::string& boot_id,
                          const std::string& serial);

// The error of acquire() for a busy device: its holder's command, and since when it is held, as far
// as that is known.
Error busy_device(const std::string& identity, const std::string& device_id);

// The command that has the device now: of this process or of another one that lives. Nothing is
// locked for it, so it may be over when the caller reads it.
struct DeviceHolder {
  std::int64_t pid = 0;
  std::string command_id{};
  std::int64_t since = 0;  // milliseconds since 1970
};
std::optional<DeviceHolder> holder_of(const std::string& identity);

class DeviceLock {
 public:
  // Fails at once with execution_conflict_in_flight, naming the holder; the same command id
  // re-enters inside one process.
  static Result<DeviceLock> acquire(const std::string& identity, const std::string& device_id,
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
