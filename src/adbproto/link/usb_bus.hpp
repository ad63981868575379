#pragma once
// Phones on USB through libusb: the list of them, and a link to one of them.
//
//   sysfs ----------------------> devices(): the list
//   netlink, a poll beside it --> wait_change(): arrivals, departures, permissions
//   libusb event thread --post--> io_context: completed transfers
//
// libusb's descriptors are not in epoll: that fails under umockdev.

#include <asio/any_io_executor.hpp>

#include "base/async/byte_stream.hpp"

namespace adbproto {

// One adb interface. Serials may be empty or repeat: the address is the identity.
struct UsbDevice {
  std::string address{};  // "usb:1-2.3": bus, port path
  std::string serial{};
  std::string manufacturer{};
  std::string product{};
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  std::uint8_t bus = 0;
  std::uint8_t device_number = 0;  // new with every arrival
  std::uint8_t interface_number = 0;
  std::uint32_t speed_mbit = 0;  // 12, 480, 5000, ...; 0 unknown
  std::string node{};            // "/dev/bus/usb/001/004"

  enum class Access { open, denied, busy };
  Access access = Access::open;  // busy is known only after an attempt to claim the interface
  // A sentence for the user. denied: the udev rule and group that help. busy: the holder (pid and
  // name from /proc if readable).
  std::string obstacle{};

  bool operator==(const UsbDevice&) const = default;
};

struct UsbOptions {
  std::chrono::milliseconds write_limit{5000};  // a phone that accepts no data counts as lost
  // A closing link reads the cable's remaining bytes until none arrive for this time.
  std::chrono::milliseconds quiet_limit{10};
  // Another process of this program may be probing the phone; wait this long for it.
  std::chrono::milliseconds scan_limit{2000};
};

class UsbBus {
 public:
  // `unsupported` with the reason if there is no USB at all (no sysfs).
  static Result<std::unique_ptr<UsbBus>> start(const asio::any_io_executor& executor,
                                               UsbOptions options = {});
  virtual ~UsbBus() = default;

  // The present phones. If the system cannot read a phone's files for a second (it is leaving), the
  // phone keeps its last state, or is absent.
  virtual asio::awaitable<std::vector<UsbDevice>> devices() = 0;
  // Returns when devices() has changed since its first call, or since the last return of this task:
  // arrivals, departures, permissions. One caller at a time.
  virtual Task<void> wait_change() = 0;
  // `unsupported` if libusb is not installed: phones are listed without it, but cannot be opened.
  [[nodiscard]] virtual Result<void> can_open() const = 0;

  // Claims the interface. usb_no_permission; usb_busy (such as an adb server's interface, which is
  // never taken away); device_not_found if it left; io. Bytes in and out are transport packets.
  // When the phone leaves, pending operations end with link_lost. Closing does not wait.
  virtual Task<ByteStreamPtr> open(UsbDevice device) = 0;
  // Last resort for a device that does not answer: a reset makes it enumerate again.
  virtual Task<void> reset(UsbDevice device) = 0;
};

}  // namespace adbproto
