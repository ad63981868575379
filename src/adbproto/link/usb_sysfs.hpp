#pragma once
// The phones on USB as sysfs shows them; nothing is opened.
//
//   /sys/bus/usb/devices/1-2.3/{descriptors,serial,...}   ->   /dev/bus/usb/001/004

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace adbproto
