#pragma once
// The phones on USB as sysfs shows them; nothing is opened.
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

// A device with an adb interface in some configuration: "1-2.3", and the number that it got with
// its arrival.
struct UsbPlace {
  std::string name;
  std::uint8_t device_number = 0;
  UsbDescriptors descriptors{};

  bool operator==(const UsbPlace&) const = default;
};

// Sorted by name; `unsupported` where the system has no USB. Waits for nothing (before Linux 6.2
// and what it was carried back to: for a device that is being reset).
Result<std::vector<UsbPlace>> list_usb();
// Nothing when the active configuration has no adb interface, or the device is gone. Hangs while
// the kernel holds the device: for seconds, when it is dying.
std::optional<UsbEntry> read_usb(const UsbPlace& place);

// Read beside the event loop: the kernel may block a reader while a phone is leaving, and the
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

  // As it is now, sorted by address; empty where there is no USB. A phone that hangs for a second
  // is shown as it was last seen since its arrival, or not at all.
  asio::awaitable<std::vector<UsbEntry>> scan();
  // The entries of the last scan.
  [[nodiscard]] std::vector<UsbEntry> seen() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Why a phone on USB cannot be had, for the person at the keyboard.

// Why `node` cannot be opened (an errno), our user and groups, and the udev rule and group that
// would help.
std::string explain_no_access(const std::string& node, std::uint16_t vendor_id, int why);

struct UsbHolder {
  int pid = 0;           // 0: not to be found out
  std::string name{};    // "adb (pid 1234)", or that it is unknown
  bool is_ours = false;  // another process of this program
};

// The process that has `node` open. Reads /proc of every process.
UsbHolder find_usb_holder(const std::string& node);
// An unknown one always does.
bool still_holds(const UsbHolder& holder, const std::string& node);

}  // namespace adbproto
