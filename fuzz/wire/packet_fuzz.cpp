// Invariants: packets and verdict do not depend on the cuts; a decoded packet encodes back to the
// bytes it came from, the checksum word excepted, which no side verifies.

#include "adbproto/wire/packet.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  const auto read = fuzz::read_any_way(PacketReader(4096), bytes);
  for (const auto& packet : read.items) {
    const Bytes again = encode_packet(packet, ChecksumRule::zero);
    fuzz::require_next(bytes, ByteView(again).first(16));
    bytes = bytes.subspan(4);
    fuzz::require_next(bytes, ByteView(again).subspan(20));
  }
  return 0;
}
