#pragma once
// Transport packets between a host and adbd: a 24-byte header, then the payload.
//
//   offset 0  u32  command        offset 12  u32  payload length
//   offset 4  u32  arg0           offset 16  u32  sum of the payload bytes, or 0
//   offset 8  u32  arg1           offset 20  u32  command ^ 0xffffffff
//
// All little endian. Like adbd, receivers never verify the sum.

#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class Command : std::uint32_t {
  sync = 0x434e5953,     // SYNC; obsolete, receivers ignore it
  connect = 0x4e584e43,  // CNXN
  auth = 0x48545541,     // AUTH
  open = 0x4e45504f,     // OPEN
  okay = 0x59414b4f,     // OKAY
  close = 0x45534c43,    // CLSE
  write = 0x45545257,    // WRTE
  stls = 0x534c5453,     // STLS
};

inline constexpr std::size_t kPacketHeaderSize = 24;
// adb's MAX_PAYLOAD since Android 9; adb closes the link on a longer packet.
inline constexpr std::size_t kMaxPayload = 1 << 20;
inline constexpr std::size_t kMaxPayloadBeforeConnect = 4096;  // adb's MAX_PAYLOAD_V1
inline constexpr std::uint32_t kVersionChecksummed = 0x01000000;
inline constexpr std::uint32_t kVersionUnchecked = 0x01000001;

enum class ChecksumRule { sum, zero };

// The sender's rule for the agreed `version`, the smaller of both announced ones.
constexpr ChecksumRule checksum_rule(std::uint32_t version) {
  return version < kVersionUnchecked ? ChecksumRule::sum : ChecksumRule::zero;
}

struct Packet {
  Command command{};
  std::uint32_t arg0 = 0;
  std::uint32_t arg1 = 0;
  Bytes payload{};

  bool operator==(const Packet&) const = default;
};

struct PacketHeader {
  Command command{};
  std::uint32_t arg0 = 0;
  std::uint32_t arg1 = 0;
  std::uint32_t payload_size = 0;

  bool operator==(const PacketHeader&) const = default;
};

using EncodedPacketHeader = std::array<std::byte, kPacketHeaderSize>;

EncodedPacketHeader encode_packet_header(Command command, std::uint32_t arg0, std::uint32_t arg1,
                                         ByteView payload, ChecksumRule rule);
Bytes encode_packet(const Packet& packet, ChecksumRule rule);

// A wrong magic is `protocol`, a payload above `max_payload` is `limit`. Unknown commands are
// returned, because the peer may be newer than this program.
Result<PacketHeader> decode_packet_header(std::span<const std::byte, kPacketHeaderSize> bytes,
                                          std::size_t max_payload);

// Splits a byte stream into packets. Chunks may end anywhere; an error is final.
class PacketReader {
 public:
  explicit PacketReader(std::size_t max_payload = kMaxPayload) : max_payload_(max_payload) {}

  // Applies to headers that next() has not decoded yet.
  void set_max_payload(std::size_t max_payload) { max_payload_ = max_payload; }

  void feed(ByteView bytes);
  // nullopt: more bytes are needed.
  Result<std::optional<Packet>> next();

  // Bytes fed but not returned; nonzero at the end of the stream means an incomplete packet.
  [[nodiscard]] std::size_t buffered() const;
  // The raw bytes after the last returned packet (a TLS hello may share a segment with STLS).
  // Precondition: next() was not called again. The reader is empty afterwards.
  Bytes take_rest();

 private:
  std::size_t fill_payload(ByteView bytes, std::size_t payload_size);

  std::size_t max_payload_;
  ByteQueue queue_;                     // the bytes after the payload in progress
  std::optional<PacketHeader> header_;  // of the packet in progress
  Bytes payload_;
};

}  // namespace adbproto
