#pragma once
// Phones on USB through libusb: which are plugged in, and the link to one of them.
//
//   libusb event thread --post--> io_context: completions, arrivals, departures
//
// libusb's descriptors are not put into epoll: under umockdev that fails.

#include <asio/any_io_executor.hpp>

#include "base/async/byte_stream.hpp"

namespace adbproto {

// One adb interface. Serials may be empty or twice the same: the address is the identity.
struct UsbDevice {
  std::string address{};  // "usb:1-2.3": bus, port path
  std::string serial{};
  std::string manufacturer{};
  std::string product{};
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  std::uint8_t bus = 0;
  std::uint8_t device_number = 0;  // a new one with every arrival
  std::uint8_t interface_number = 0;
  std::uint32_t speed_mbit = 0;  // 12, 480, 5000, ...; 0 unknown
  std::string node{};            // "/dev/bus/usb/001/004"

  enum class Access { open, denied, busy };
  Access access = Access::open;  // busy is known only after an attempt to claim it
  // denied, busy: a sentence for the user: the udev rule and group that would help; the holder (pid
  // and name from /proc where readable).
  std::string obstacle{};

  bool operator==(const UsbDevice&) const = default;
};

struct UsbOptions {
  std::chrono::milliseconds write_limit{5000};  // a phone that takes no data is lost
  // A closing link reads the cable's remaining bytes until none come for so long.
  std::chrono::milliseconds quiet_limit{10};
  // Another process of this program may be probing the phone: wait so long for it.
  std::chrono::milliseconds scan_limit{2000};
};

class UsbBus {
 public:
  // `unsupported` with the reason where there is no USB at all (no sysfs).
  static Result<std::unique_ptr<UsbBus>> start(const asio::any_io_executor& executor,
                                               UsbOptions options = {});
  virtual ~UsbBus() = default;

  // The current phones. A phone whose files the system cannot read for a second (it is leaving)
  // keeps its last state, or is absent.
  virtual asio::awaitable<std::vector<UsbDevice>> devices() = 0;
  // Returns when devices() has changed since its first call, or since this returned last: arrivals,
  // departures, permissions. One caller at a time.
  virtual Task<void> wait_change() = 0;
  // `unsupported` while libusb is not installed: phones are seen without it, and not opened.
  [[nodiscard]] virtual Result<void> can_open() const = 0;

  // Claims the interface. usb_no_permission, usb_busy (another program's adb server: nothing is
  // taken from it), device_not_found when it went away, io. Bytes in and out are transport packets;
  // when the phone goes, pending operations end with link_lost. Closing waits for nothing.
  virtual Task<ByteStreamPtr> open(UsbDevice device) = 0;
  // Last resort for a device that does not answer: it re-enumerates.
  virtual Task<void> reset(UsbDevice device) = 0;
};

}  // namespace adbproto
