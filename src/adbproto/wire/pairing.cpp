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
    return fail(errc::protocol, "pairing packet of unknown version " + std::to_string(version));
  }
  if (type > 1)
    return fail(errc::protocol, "pairing packet of unknown type " + std::to_string(type));
  if (size == 0) return fail(errc::protocol, "pairing packet without payload");
  if (size > kMaxPairingPayload) {
    return fail(errc::limit, "pairing packet of " + std::to_string(size) + " bytes");
  }
  return Header{static_cast<PairingPacket::Type>(type), size};
}

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

std::unexpected<Error> damaged() { return fail(errc::protocol, "known hosts file is damaged"); }

// Reads one protobuf message, field by field.
class Fields {
 public:
  explicit Fields(ByteView bytes) : rest_(bytes) {}

  struct Field {
    std::uint64_t number = 0;
    WireType type{};
    ByteView bytes{};  // only of WireType::bytes
  };

  // nullopt at the end.
  Result<std::optional<Field>> next() {
    if (rest_.empty()) return std::nullopt;
    TRY(const std::uint64_t tag, varint());
    Field field{tag >> 3, static_cast<WireType>(tag & 7), {}};
    switch (field.type) {
      case WireType::varint: TRY_VOID(varint()); break;
      case WireType::fixed64: TRY_VOID(take(8)); break;
      case WireType::fixed32: TRY_VOID(take(4)); break;
      case WireType::bytes: {
        TRY(const std::uint64_t size, varint());
        TRY(field.bytes, take(size));
        break;
      }
      default: return damaged();
    }
    return field;
  }

 private:
  Result<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      TRY(const ByteView byte, take(1));
      const auto bits = std::to_integer<std::uint64_t>(byte[0]);
      value |= (bits & 0x7f) << shift;
      if (bits < 0x80) return value;
    }
    return damaged();
  }

  Result<ByteView> take(std::uint64_t size) {
    if (size > rest_.size()) return damaged();
    const ByteView taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  ByteView rest_;
};

// Calls visit(bytes) for every field 1 that contains bytes.
template <class Visit>
Result<void> for_each_first_field(ByteView message, Visit visit) {
  Fields fields(message);
  for (;;) {
    TRY(const auto field, fields.next());
    if (!field) return ok();
    if (field->number == 1 && field->type == WireType::bytes) TRY_VOID(visit(field->bytes));
  }
}

void append_varint(Bytes& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
  to.push_back(static_cast<std::byte>(value));
}

Bytes encode_first_field(ByteView bytes) {
  Bytes out{std::byte{0x0a}};
  append_varint(out, bytes.size());
  append(out, bytes);
  return out;
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

Result<std::vector<std::string>> parse_known_hosts(ByteView bytes) {
  if (bytes.size() > kMaxKnownHostsFile) return fail(errc::limit, "known hosts file is too large");
  std::vector<std::string> guids;
  const auto on_host = [&](ByteView host) -> Result<void> {
    std::string guid;
    TRY_VOID(for_each_first_field(host, [&](ByteView text) -> Result<void> {
      guid = as_text(text);
      return ok();
    }));
    if (!guid.empty()) guids.push_back(std::move(guid));
    return ok();
  };
  TRY_VOID(for_each_first_field(bytes, on_host));
  return guids;
}

Bytes encode_known_host(std::string_view guid) {
  return encode_first_field(encode_first_field(as_bytes(guid)));
}

}  // namespace adbproto
