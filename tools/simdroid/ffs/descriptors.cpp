#include "simdroid/ffs/descriptors.hpp"

#include <linux/usb/functionfs.h>

#include <initializer_list>

namespace simdroid {
namespace {

struct Speed {
  std::uint16_t packet_size;
  bool has_companions;
};

// FunctionFS wants them in this order.
constexpr Speed kSpeeds[] = {{64, false}, {512, false}, {1024, true}};

void append_bytes(Bytes& to, std::initializer_list<int> values) {
  for (const int value : values) to.push_back(static_cast<std::byte>(value));
}

void append_endpoint(Bytes& to, int address, Speed speed) {
  append_bytes(to, {USB_DT_ENDPOINT_SIZE, USB_DT_ENDPOINT, address, USB_ENDPOINT_XFER_BULK});
  append_le(to, speed.packet_size);
  append_bytes(to, {0});
  if (speed.has_companions)
    append_bytes(to, {USB_DT_SS_EP_COMP_SIZE, USB_DT_SS_ENDPOINT_COMP, 0, 0, 0, 0});
}

void append_interface(Bytes& to, Speed speed) {
  append_bytes(to, {USB_DT_INTERFACE_SIZE, USB_DT_INTERFACE, 0, 0, 2, 0xff, 0x42, 0x01, 1});
  append_endpoint(to, 1 | USB_DIR_OUT, speed);
  append_endpoint(to, 2 | USB_DIR_IN, speed);
}

// The second word is the length of all.
Bytes with_length(Bytes block) {
  adbproto::store_le(block.data() + 4, static_cast<std::uint32_t>(block.size()));
  return block;
}

}  // namespace

Bytes adb_descriptors() {
  constexpr std::uint32_t kFlags =
      FUNCTIONFS_HAS_FS_DESC | FUNCTIONFS_HAS_HS_DESC | FUNCTIONFS_HAS_SS_DESC;
  Bytes block;
  for (const std::uint32_t word : {std::uint32_t{FUNCTIONFS_DESCRIPTORS_MAGIC_V2}, 0u, kFlags})
    append_le(block, word);
  for (const Speed speed : kSpeeds) append_le(block, std::uint32_t{speed.has_companions ? 5u : 3u});
  for (const Speed speed : kSpeeds) append_interface(block, speed);
  return with_length(std::move(block));
}

Bytes adb_strings() {
  Bytes block;
  for (const std::uint32_t word : {std::uint32_t{FUNCTIONFS_STRINGS_MAGIC}, 0u, 1u, 1u})
    append_le(block, word);
  append_le(block, std::uint16_t{0x0409});
  append(block, as_bytes(std::string_view("adb\0", 4)));
  return with_length(std::move(block));
}

}  // namespace simdroid
