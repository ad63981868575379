#pragma once
// The phones on USB according to sysfs; no device is opened.
//
//   /sys/bus/usb/devices/1-2.3/{descriptors,serial,...}   ->   /dev/bus/usb/001/004

#include <asio/any_io_executor.hpp>

#include "adbproto/link/usb_bus.hpp"
#include "adbproto/wire/usb_descriptors.hpp"

namespace adbproto {

struct UsbEntry {
  UsbDevice device;
  UsbInterface interface;

  bool operator==(const UsbEntry&) const = default;
};

// A device with an adb interface in some configuration: "1-2.3", and its number since its arrival.
struct UsbPlace {
  std::string name;
  std::uint8_t device_number = 0;
  UsbDescriptors descriptors{};

  bool operator==(const UsbPlace&) const = default;
};

// Sorted by name; `unsupported` if the system has no USB. Does not wait (before Linux 6.2 and its
// backports: except for a device that is being reset).
Result<std::vector<UsbPlace>> list_usb();
// nullopt when the active configuration has no adb interface, or the device is gone. Blocks while
// the kernel holds the device: for seconds, when the device is leaving.
std::optional<UsbEntry> read_usb(const UsbPlace& place);

// Reads beside the event loop: the kernel may block a reader while a phone is leaving, and the
// others must still be found.
//
//   list (waits for nothing) --> each device with an adb interface: read on a thread of its own
struct Sysfs {
  std::function<Result<std::vector<UsbPlace>>()> list = list_usb;
  std::function<std::optional<UsbEntry>(const UsbPlace& place)> read = read_usb;
};

class UsbScanner {
 public:
  explicit UsbScanner(const asio::any_io_executor& executor, Sysfs sysfs = {});
  ~UsbScanner();
  UsbScanner(const UsbScanner&) = delete;
  UsbScanner& operator=(const UsbScanner&) = delete;

  // The present entries, sorted by address; empty without USB. A phone that blocks for a second is
  // listed with its last state since its arrival, or not at all.
  asio::awaitable<std::vector<UsbEntry>> scan();
  // The entries of the last scan.
  [[nodiscard]] std::vector<UsbEntry> seen() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Why a phone on USB cannot be opened, for the user.

// Why `node` cannot be opened (an errno), our user and groups, and the udev rule and group that
// help.
std::string explain_no_access(const std::string& node, std::uint16_t vendor_id, int why);

struct UsbHolder {
  int pid = 0;           // 0: unknown
  std::string name{};    // "adb (pid 1234)", or a text for an unknown holder
  bool is_ours = false;  // another process of this program
};

// The process that has `node` open. Reads /proc of every process.
UsbHolder find_usb_holder(const std::string& node);
// Always true for an unknown holder.
bool still_holds(const UsbHolder& holder, const std::string& node);

}  // namespace adbproto
