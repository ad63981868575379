#pragma once
// The adb interfaces of a USB device, from its raw descriptors in sysfs: the device descriptor,
// then every configuration.
//
//   u8 length | u8 type | ...         type 1 device, 2 configuration, 4 interface, 5 endpoint;
//                                     all others (association, SuperSpeed companion) are passed
//   interface ff/42/01 (adb) or dc/02/01 (debug cable), alternate setting 0, with a bulk endpoint
//   each way
//
// A descriptor that is shorter than its own header, or longer than the rest, ends the parsing.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

// A configuration's wTotalLength has 16 bits; phones need a few hundred bytes.
inline constexpr std::size_t kMaxUsbDescriptors = 64 * 1024;

struct UsbInterface {
  std::uint8_t configuration = 0;
  std::uint8_t number = 0;
  std::uint8_t in_endpoint = 0;   // bit 0x80 is set
  std::uint8_t out_endpoint = 0;  // bit 0x80 is clear
  std::uint16_t in_packet_size = 0;
  std::uint16_t out_packet_size = 0;

  bool operator==(const UsbInterface&) const = default;
};

struct UsbDescriptors {
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  // Empty also for another device class (a hub).
  std::vector<UsbInterface> interfaces{};

  bool operator==(const UsbDescriptors&) const = default;
};

// `protocol` without a device descriptor, `limit` above kMaxUsbDescriptors.
Result<UsbDescriptors> parse_usb_descriptors(ByteView bytes);

}  // namespace adbproto
