#pragma once
// The messages of the two sides of a pairing, inside TLS.
//
//   packet    u8 version = 1 | u8 type | u32 BIG endian length, 1..16384 | payload
//   PeerInfo  u8 kind | text, NUL-padded to 8192 bytes in all; travels encrypted
//
// Each side sends a spake2_message (32 bytes), then a peer_info (8192 + 16).

#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kPairingHeaderSize = 6;
inline constexpr std::size_t kMaxPairingPayload = 16384;  // adb's limit: twice a PeerInfo
inline constexpr std::size_t kPeerInfoSize = 8192;

struct PairingPacket {
  enum class Type : std::uint8_t { spake2_message = 0, peer_info = 1 };

  Type type{};
  Bytes payload{};

  bool operator==(const PairingPacket&) const = default;
};

// Requires a payload of 1 to kMaxPairingPayload bytes.
Bytes encode_pairing_packet(const PairingPacket& packet);

class PairingReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<PairingPacket>> next();

 private:
  ByteQueue queue_;
};

struct PeerInfo {
  enum class Kind : std::uint8_t { rsa_public_key = 0, device_guid = 1 };

  Kind kind{};
  std::string text{};  // the line of adbkey.pub, or "adb-SERIAL-abcdef"

  bool operator==(const PeerInfo&) const = default;
};

// `limit` when the text is too long; invalid_argument with a NUL, because the text after it would
// be lost.
Result<Bytes> encode_peer_info(const PeerInfo& info);
Result<PeerInfo> parse_peer_info(ByteView bytes);

// ~/.android/adb_known_hosts.pb, shared with adb: the protobuf message
//
//   AdbKnownHosts { repeated HostInfo host_infos = 1; }   HostInfo { string guid = 1; }
//
// as 0a LEN { 0a LEN guid } for each device. Fields of other numbers are skipped.

// An entry has about 22 bytes: room for more than 40,000 phones.
inline constexpr std::size_t kMaxKnownHostsFile = 1 << 20;

// In the order of the file; an entry without guid is left out.
Result<std::vector<std::string>> parse_known_hosts(ByteView bytes);

// Encodes one entry. Protobuf lists are joined by joining their bytes: append it to the file.
Bytes encode_known_host(std::string_view guid);

}  // namespace adbproto
