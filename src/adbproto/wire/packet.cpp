#include "adbproto/wire/packet.hpp"

#include <algorithm>
#include <numeric>

namespace adbproto {
namespace {

std::uint32_t sum_of(ByteView bytes) {
  return std::accumulate(
      bytes.begin(), bytes.end(), std::uint32_t{0},
      [](std::uint32_t sum, std::byte b) { return sum + static_cast<std::uint32_t>(b); });
}

}  // namespace

EncodedPacketHeader encode_packet_header(Command command, std::uint32_t arg0, std::uint32_t arg1,
                                         ByteView payload, ChecksumRule rule) {
  const std::uint32_t words[] = {
      static_cast<std::uint32_t>(command),
      arg0,
      arg1,
      static_cast<std::uint32_t>(payload.size()),
      rule == ChecksumRule::sum ? sum_of(payload) : 0,
      ~static_cast<std::uint32_t>(command),
  };
  EncodedPacketHeader header;
  std::byte* to = header.data();
  for (const std::uint32_t word : words) {
    store_le(to, word);
    to += sizeof word;
  }
  return header;
}

Bytes encode_packet(const Packet& packet, ChecksumRule rule) {
  const auto header =
      encode_packet_header(packet.command, packet.arg0, packet.arg1, packet.payload, rule);
  Bytes out;
  out.reserve(header.size() + packet.payload.size());
  append(out, header);
  append(out, packet.payload);
  return out;
}

Result<PacketHeader> decode_packet_header(std::span<const std::byte, kPacketHeaderSize> bytes,
                                          std::size_t max_payload) {
  const auto word = [&](std::size_t index) { return load_le<std::uint32_t>(&bytes[4 * index]); };
  if (word(5) != ~word(0)) return fail(errc::protocol, "packet header with a wrong magic");
  if (word(3) > max_payload) {
    return fail(errc::limit, "packet of " + std::to_string(word(3)) + " bytes where " +
                                 std::to_string(max_payload) + " are allowed");
  }
  return PacketHeader{static_cast<Command>(word(0)), word(1), word(2), word(3)};
}

// Payload bytes go directly into the packet; only the bytes after it are queued.
void PacketReader::feed(ByteView bytes) {
  if (header_ && queue_.empty()) bytes = bytes.subspan(fill_payload(bytes, header_->payload_size));
  queue_.append(bytes);
}

Result<std::optional<Packet>> PacketReader::next() {
  if (!header_) {
    if (queue_.size() < kPacketHeaderSize) return std::nullopt;
    TRY(header_, decode_packet_header(queue_.view().first<kPacketHeaderSize>(), max_payload_));
    queue_.consume(kPacketHeaderSize);
    payload_.reserve(header_->payload_size);
  }
  queue_.consume(fill_payload(queue_.view(), header_->payload_size));
  if (payload_.size() < header_->payload_size) return std::nullopt;
  Packet packet{header_->command, header_->arg0, header_->arg1, std::exchange(payload_, {})};
  header_.reset();
  return packet;
}

std::size_t PacketReader::fill_payload(ByteView bytes, std::size_t payload_size) {
  const std::size_t count = std::min(bytes.size(), payload_size - payload_.size());
  append(payload_, bytes.first(count));
  return count;
}

std::size_t PacketReader::buffered() const {
  return queue_.size() + (header_ ? kPacketHeaderSize + payload_.size() : 0);
}

Bytes PacketReader::take_rest() {
  const ByteView rest = queue_.view();
  Bytes out(rest.begin(), rest.end());
  queue_.clear();
  return out;
}

}  // namespace adbproto
