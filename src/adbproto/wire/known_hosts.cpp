#include "adbproto/wire/known_hosts.hpp"

#include <cstdint>
#include <optional>

namespace adbproto {
namespace {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

std::unexpected<Error> damaged() { return fail(errc::protocol, "known hosts file is damaged"); }

// One protobuf message, field by field.
class Fields {
 public:
  explicit Fields(ByteView bytes) : rest_(bytes) {}

  struct Field {
    std::uint64_t number = 0;
    WireType type{};
    ByteView bytes{};  // of WireType::bytes only
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

// Calls visit(bytes) for every field 1 that holds bytes.
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
