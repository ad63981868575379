// Invariants: every interface found has an endpoint each way with a packet size, and stands in the
// input; what is behind the walk's end changes nothing.

#include "adbproto/wire/usb_descriptors.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  const auto parsed = parse_usb_descriptors(bytes);
  if (!parsed) return 0;
  // An interface and two endpoints each.
  fuzz::require(parsed->interfaces.size() <= size / (9 + 7 + 7));
  for (const UsbInterface& one : parsed->interfaces) {
    fuzz::require(one.in_packet_size > 0 && one.out_packet_size > 0);
    fuzz::require((one.in_endpoint & 0x80) != 0 && (one.out_endpoint & 0x80) == 0);
  }
  if (size + 2 > kMaxUsbDescriptors) return 0;
  Bytes more(bytes.begin(), bytes.end());
  append(more, as_bytes(std::string_view("\0\0", 2)));
  // A cut descriptor at the end may swallow them; it ends the walk either way.
  const auto again = parse_usb_descriptors(more);
  fuzz::require(again && again->interfaces.size() >= parsed->interfaces.size());
  return 0;
}
