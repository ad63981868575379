// Invariants: at most five reads are queued, in whole USB packets of at most a piece; what is
// delivered is always the beginning of a packet stream; what goes out is what was fed, each payload
// of whole USB packets followed by an empty transfer.
//
// Input: u8 USB packet size / 8 - 1, then transfers: u16 length (little endian), bytes.

#include <algorithm>
#include <cstdlib>

#include "adbproto/session/usb_framing.hpp"

using namespace adbproto;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void send_back(ByteView packets, std::size_t packet_size) {
  UsbOutbound out(packet_size, 4096);
  std::deque<Bytes> transfers;
  const std::size_t half = packets.size() / 2;
  if (!out.feed(packets.first(half), transfers)) return;
  if (!out.feed(packets.subspan(half), transfers)) return;
  Bytes joined;
  for (const Bytes& one : transfers) append(joined, one);
  require(joined.size() <= packets.size() &&
          packets.size() - joined.size() < std::max(packet_size, kPacketHeaderSize));
  require(std::ranges::equal(joined, packets.first(joined.size())));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  ByteView left(reinterpret_cast<const std::byte*>(data), size);
  const std::size_t packet_size = 8 * (std::size_t{data[0] % 128u} + 1);
  left = left.subspan(1);
  UsbInbound in(packet_size, 4096);
  PacketReader packets;
  Bytes delivered;
  while (left.size() >= 2) {
    std::deque<std::size_t> queued;
    for (auto next = in.next_read(); next; next = in.next_read()) {
      require(*next > 0 && *next % packet_size == 0);
      require(*next <= std::max<std::size_t>(4096, packet_size));
      in.on_queued(*next);
      queued.push_back(*next);
      require(queued.size() <= kMaxUsbReads);
    }
    const std::size_t length =
        std::min<std::size_t>(load_le<std::uint16_t>(left.data()), left.size() - 2);
    const ByteView transfer = left.subspan(2, length);
    left = left.subspan(2 + length);
    const auto verdict = in.on_read(transfer);
    if (!verdict) break;
    if (*verdict == UsbVerdict::skip) continue;
    append(delivered, transfer);
    packets.feed(transfer);
    for (auto packet = packets.next();; packet = packets.next()) {
      require(packet.has_value());
      if (!*packet) break;
    }
  }
  send_back(delivered, packet_size);
  return 0;
}
