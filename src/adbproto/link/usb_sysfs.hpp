#pragma once
// The phones on USB as sysfs shows them; nothing is opened.
//
//   /sys/bus/usb/devices/1-2.3/{descriptors,serial,...}   ->   /dev/bus/usb/001/004

#include <vector>

#include "adbproto/link/usb_bus.hpp"
#include "adbproto/wire/usb_descriptors.hpp"

namespace adbproto {

struct UsbEntry {
  UsbDevice device;
  UsbInterface interface;

  bool operator==(const UsbEntry&) const = default;
};

// Sorted by address; `unsupported` where the system has no USB. A device that cannot be read, or
// whose active configuration has no adb interface, is left out.
Result<std::vector<UsbEntry>> scan_usb();

}  // namespace adbproto
