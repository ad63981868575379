#pragma once
// Messages of multicast DNS (RFC 1035 and 6762), as far as they are needed to find services.
//
//   header    u16 id | u16 flags | u16 questions, answers, authorities, additionals   (big endian)
//   question  name | u16 type | u16 class, top bit: answer by unicast
//   record    name | u16 type | u16 class, top bit: replaces what was known | u32 ttl | u16 size |
//   data name      { u8 size, label }... 0, or at any place a pointer: two bytes, 14 bits of offset
//
// Reading skips records of unknown types and classes. Pointers must go backwards, so every name
// ends. Writing uses no pointers.

#include <variant>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kMaxMdnsMessage = 9000;  // RFC 6762, 17: not above 9000 bytes

// Labels from the left; an instance's first label may contain dots and spaces.
using DnsName = std::vector<std::string>;

// "_adb._tcp.local" as a name.
DnsName dns_name(std::string_view dotted);
// Compares like DNS: the case of ASCII letters does not matter.
bool same_name(const DnsName& left, const DnsName& right);

enum class DnsType : std::uint16_t { a = 1, ptr = 12, txt = 16, aaaa = 28, srv = 33, any = 255 };

struct DnsAddress4 {
  std::array<std::byte, 4> bytes{};
  bool operator==(const DnsAddress4&) const = default;
};
struct DnsAddress6 {
  std::array<std::byte, 16> bytes{};
  bool operator==(const DnsAddress6&) const = default;
};
struct DnsPointer {
  DnsName target{};
  bool operator==(const DnsPointer&) const = default;
};
struct DnsText {
  std::vector<std::string> entries{};  // "key=value"
  bool operator==(const DnsText&) const = default;
};
struct DnsService {
  std::uint16_t priority = 0;
  std::uint16_t weight = 0;
  std::uint16_t port = 0;
  DnsName target{};
  bool operator==(const DnsService&) const = default;
};

struct DnsRecord {
  enum class Cache : std::uint8_t { adds, replaces };

  DnsName name{};
  Cache cache = Cache::adds;
  std::uint32_t ttl = 0;  // seconds; 0: the record is gone
  std::variant<DnsAddress4, DnsAddress6, DnsPointer, DnsText, DnsService> data{};

  [[nodiscard]] DnsType type() const;
  bool operator==(const DnsRecord&) const = default;
};

struct DnsQuestion {
  enum class Answer : std::uint8_t { multicast, unicast };

  DnsName name{};
  DnsType type{};
  Answer answer = Answer::multicast;

  bool operator==(const DnsQuestion&) const = default;
};

struct DnsMessage {
  enum class Kind : std::uint8_t { query, response };

  Kind kind = Kind::query;
  std::uint16_t id = 0;  // 0, except in a legacy query and its answer
  std::vector<DnsQuestion> questions{};
  std::vector<DnsRecord> records{};  // of all three sections

  bool operator==(const DnsMessage&) const = default;
};

// `protocol` for an invalid message, `limit` above kMaxMdnsMessage.
Result<DnsMessage> parse_mdns(ByteView bytes);

// Encodes the header and the questions. Records, which only devices send, follow after it
// (simdroid/wireless/mdns_records.hpp). `invalid_argument` for a label or name that DNS cannot
// contain, `limit` above kMaxMdnsMessage.
Result<Bytes> encode_mdns(const DnsMessage& message);
Result<void> append_dns_name(Bytes& to, const DnsName& name);

}  // namespace adbproto
