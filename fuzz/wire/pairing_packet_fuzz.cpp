// Invariants: packets and verdict do not depend on the cuts; a packet encodes back to the bytes it
// came from; what parses as a peer info encodes to one that parses to the same.

#include "adbproto/wire/pairing.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  const auto read = fuzz::read_any_way(PairingReader(), bytes);
  for (const PairingPacket& packet : read.items) {
    fuzz::require(!packet.payload.empty() && packet.payload.size() <= kMaxPairingPayload);
    fuzz::require_next(bytes, encode_pairing_packet(packet));
    if (const auto info = parse_peer_info(packet.payload)) {
      fuzz::require(parse_peer_info(encode_peer_info(*info).value()) == info);
    }
  }
  return 0;
}
