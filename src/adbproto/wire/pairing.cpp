#include "adbproto/wire/pairing.hpp"

#include <algorithm>

namespace adbproto {
namespace {

constexpr std::uint8_t kPairingVersion = 1;

std::uint32_t load_be32(ByteView bytes) {
  std::uint32_t value = 0;
  for (const std::byte b : bytes.first<4>()) value = value << 8 | std::to_integer<unsigned>(b);
  return value;
}

struct Header {
  PairingPacket::Type type{};
  std::size_t size = 0;
};

Result<Header> decode_header(ByteView bytes) {
  const auto version = std::to_integer<unsigned>(bytes[0]);
  const auto type = std::to_integer<unsigned>(bytes[1]);
  const std::uint32_t size = load_be32(bytes.subspan(2));
  if (version != kPairingVersion) {
    return fail(errc::protocol, "pairing packet of version " + std::to_string(version));
  }
  if (type > 1) return fail(errc::protocol, "pairing packet of type " + std::to_string(type));
  if (size == 0) return fail(errc::protocol, "pairing packet without payload");
  if (size > kMaxPairingPayload) {
    return fail(errc::limit, "pairing packet of " + std::to_string(size) + " bytes");
  }
  return Header{static_cast<PairingPacket::Type>(type), size};
}

}  // namespace

Bytes encode_pairing_packet(const PairingPacket& packet) {
  const std::size_t size = packet.payload.size();
  Bytes out{std::byte{kPairingVersion}, static_cast<std::byte>(packet.type)};
  for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<std::byte>(size >> shift));
  append(out, packet.payload);
  return out;
}

Result<std::optional<PairingPacket>> PairingReader::next() {
  if (queue_.size() < kPairingHeaderSize) return std::nullopt;
  TRY(const Header header, decode_header(queue_.view()));
  if (queue_.size() < kPairingHeaderSize + header.size) return std::nullopt;
  const ByteView payload = queue_.view().subspan(kPairingHeaderSize, header.size);
  PairingPacket packet{header.type, Bytes(payload.begin(), payload.end())};
  queue_.consume(kPairingHeaderSize + header.size);
  return packet;
}

Result<Bytes> encode_peer_info(const PeerInfo& info) {
  if (info.text.size() > kPeerInfoSize - 2) {
    return fail(errc::limit, "peer info of " + std::to_string(info.text.size()) + " bytes");
  }
  if (info.text.find('\0') != info.text.npos) {
    return fail(errc::invalid_argument, "peer info with a NUL in its text");
  }
  Bytes out(kPeerInfoSize);
  out[0] = static_cast<std::byte>(info.kind);
  std::ranges::copy(as_bytes(info.text), out.begin() + 1);
  return out;
}

Result<PeerInfo> parse_peer_info(ByteView bytes) {
  if (bytes.size() != kPeerInfoSize) {
    return fail(errc::protocol, "peer info of " + std::to_string(bytes.size()) + " bytes");
  }
  const auto kind = std::to_integer<unsigned>(bytes[0]);
  if (kind > 1) return fail(errc::protocol, "peer info of kind " + std::to_string(kind));
  const std::string_view text = as_text(bytes.subspan(1));
  const std::size_t end = text.find('\0');
  if (end == text.npos) return fail(errc::protocol, "peer info without its final NUL");
  return PeerInfo{static_cast<PeerInfo::Kind>(kind), std::string(text.substr(0, end))};
}

}  // namespace adbproto
