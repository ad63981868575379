// Invariants: packets and verdict do not depend on the cuts; packets encode back to the bytes they
// came from; the borrowing reader gives the same payloads as the copying one.

#include "adbproto/wire/shell_packet.hpp"

#include "chunks.hpp"
#include "support/shell_packets.hpp"

using namespace adbproto;

namespace {

std::vector<ShellPacket> join_chunks(ByteView bytes, std::size_t step) {
  ShellChunkReader reader;
  std::vector<ShellPacket> packets;
  ShellPacket packet;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(step, bytes.size()));
    bytes = bytes.subspan(part.size());
    reader.feed(part);
    for (auto chunk = reader.next(); chunk && *chunk; chunk = reader.next()) {
      packet.id = (*chunk)->id;
      append(packet.payload, (*chunk)->piece);
      if ((*chunk)->last) packets.push_back(std::exchange(packet, {}));
    }
    if (!reader.next()) return packets;
  }
  return packets;
}

// What a later version of the protocol may say is skipped: ids above window_size, with a length
// within the limit, whole.
ByteView without_unknown(ByteView bytes) {
  while (bytes.size() >= kShellHeaderSize &&
         static_cast<ShellId>(bytes[0]) > ShellId::window_size) {
    const auto size = load_le<std::uint32_t>(bytes.data() + 1);
    fuzz::require(size <= kMaxShellPayload && bytes.size() - kShellHeaderSize >= size);
    bytes = bytes.subspan(kShellHeaderSize + size);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteView bytes = fuzz::input(data, size);
  const auto read = fuzz::read_any_way(ShellPacketReader(), bytes);
  fuzz::require(join_chunks(bytes, size) == read.items);
  fuzz::require(join_chunks(bytes, 1) == read.items);
  for (const auto& packet : read.items) {
    bytes = without_unknown(bytes);
    fuzz::require_next(bytes, encode_shell_packet(packet.id, packet.payload));
  }
  return 0;
}
