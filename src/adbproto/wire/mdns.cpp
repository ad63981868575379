#include "adbproto/wire/mdns.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kMaxLabel = 63;  // RFC 1035, 2.3.4
constexpr std::size_t kMaxName = 255;  // encoded, its final zero included
constexpr std::uint16_t kResponse = 0x8000;
constexpr std::uint16_t kAuthoritative = 0x0400;
constexpr std::uint16_t kInternet = 1;
constexpr std::uint16_t kTopBit = 0x8000;

std::unexpected<Error> damaged(std::string what) {
  return fail(errc::protocol, "mDNS message: " + std::move(what));
}

// A position in a message. Names may refer to earlier bytes.
class Cursor {
 public:
  explicit Cursor(ByteView message) : message_(message), end_(message.size()) {}

  Result<ByteView> take(std::size_t size) {
    if (size > end_ - at_) return damaged("it is incomplete");
    at_ += size;
    return message_.subspan(at_ - size, size);
  }

  template <class Integer>
  Result<Integer> number() {
    TRY(const ByteView bytes, take(sizeof(Integer)));
    std::uint32_t value = 0;
    for (const std::byte b : bytes) value = value << 8 | std::to_integer<std::uint32_t>(b);
    return static_cast<Integer>(value);
  }

  Result<DnsName> name() {
    DnsName name;
    std::size_t size = 1;
    Cursor part = *this;  // the position of the labels; a pointer moves it back
    bool jumped = false;
    for (std::size_t start = at_;;) {
      TRY(const auto length, part.number<std::uint8_t>());
      if (length > kMaxLabel) {
        TRY(start, part.pointer(length, start));
        if (!std::exchange(jumped, true)) at_ = part.at_;
        part = Cursor(message_);
        part.at_ = start;
        continue;
      }
      if (length == 0) break;
      TRY(const ByteView label, part.take(length));
      size += 1u + length;
      if (size > kMaxName) return damaged("a name is too long");
      name.emplace_back(as_text(label));
    }
    if (!jumped) at_ = part.at_;
    return name;
  }

  // A cursor for only the next `size` bytes; this cursor moves behind them.
  Result<Cursor> part(std::size_t size) {
    Cursor inner = *this;
    TRY_VOID(take(size));
    inner.end_ = at_;
    return inner;
  }

  [[nodiscard]] bool at_end() const { return at_ == end_; }

 private:
  // The pointer's target, which must be before `start`, the beginning of the labels so far.
  Result<std::size_t> pointer(std::uint8_t first, std::size_t start) {
    if (first < 0xc0) return damaged("a label of unknown kind");
    TRY(const auto second, number<std::uint8_t>());
    const std::size_t target = (first & 0x3fu) << 8 | second;
    if (target >= start) return damaged("a name points forward");
    return target;
  }

  ByteView message_;
  std::size_t at_ = 0;
  std::size_t end_;
};

template <class Address>
Result<Address> read_address(Cursor& data) {
  Address address;
  TRY(const ByteView bytes, data.take(address.bytes.size()));
  std::ranges::copy(bytes, address.bytes.begin());
  return address;
}

Result<DnsText> read_text(Cursor& data) {
  DnsText text;
  while (!data.at_end()) {
    TRY(const auto size, data.number<std::uint8_t>());
    TRY(const ByteView entry, data.take(size));
    if (size > 0) text.entries.emplace_back(as_text(entry));
  }
  return text;
}

Result<DnsService> read_service(Cursor& data) {
  DnsService service;
  TRY(service.priority, data.number<std::uint16_t>());
  TRY(service.weight, data.number<std::uint16_t>());
  TRY(service.port, data.number<std::uint16_t>());
  TRY(service.target, data.name());
  return service;
}

// False: a type that this code does not read.
Result<bool> read_data(Cursor& data, DnsType type, DnsRecord& record) {
  switch (type) {
    case DnsType::a: {
      TRY(record.data, read_address<DnsAddress4>(data));
      return true;
    }
    case DnsType::aaaa: {
      TRY(record.data, read_address<DnsAddress6>(data));
      return true;
    }
    case DnsType::ptr: {
      TRY(record.data.emplace<DnsPointer>().target, data.name());
      return true;
    }
    case DnsType::txt: {
      TRY(record.data, read_text(data));
      return true;
    }
    case DnsType::srv: {
      TRY(record.data, read_service(data));
      return true;
    }
    case DnsType::any: break;
  }
  return false;
}

Result<std::optional<DnsRecord>> read_record(Cursor& cursor) {
  DnsRecord record;
  TRY(record.name, cursor.name());
  TRY(const auto type, cursor.number<std::uint16_t>());
  TRY(const auto class_word, cursor.number<std::uint16_t>());
  TRY(record.ttl, cursor.number<std::uint32_t>());
  TRY(const auto size, cursor.number<std::uint16_t>());
  TRY(Cursor data, cursor.part(size));
  if ((class_word & ~kTopBit) != kInternet) return std::nullopt;
  if (class_word & kTopBit) record.cache = DnsRecord::Cache::replaces;
  TRY(const bool known, read_data(data, static_cast<DnsType>(type), record));
  if (!known) return std::nullopt;
  if (!data.at_end()) return damaged("a record is longer than its data");
  return record;
}

Result<std::optional<DnsQuestion>> read_question(Cursor& cursor) {
  DnsQuestion question;
  TRY(question.name, cursor.name());
  TRY(const auto type, cursor.number<std::uint16_t>());
  TRY(const auto class_word, cursor.number<std::uint16_t>());
  const auto dns_class = class_word & ~kTopBit;
  if (dns_class != kInternet && dns_class != std::to_underlying(DnsType::any)) return std::nullopt;
  question.type = static_cast<DnsType>(type);
  if (class_word & kTopBit) question.answer = DnsQuestion::Answer::unicast;
  return question;
}

void append_be16(Bytes& to, std::size_t value) {
  to.push_back(static_cast<std::byte>(value >> 8));
  to.push_back(static_cast<std::byte>(value));
}

Result<void> append_counted(Bytes& to, std::string_view text, std::size_t limit) {
  if (text.empty() || text.size() > limit) {
    return fail(errc::invalid_argument, "DNS cannot hold a text of " + std::to_string(text.size()) +
                                            " bytes in this place");
  }
  to.push_back(static_cast<std::byte>(text.size()));
  append(to, as_bytes(text));
  return ok();
}

bool same_label(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower_char, lower_char);
}

}  // namespace

DnsName dns_name(std::string_view dotted) {
  DnsName name;
  while (!dotted.empty()) {
    const std::size_t dot = dotted.find('.');
    name.emplace_back(dotted.substr(0, dot));
    dotted = dot == dotted.npos ? std::string_view{} : dotted.substr(dot + 1);
  }
  return name;
}

bool same_name(const DnsName& left, const DnsName& right) {
  return std::ranges::equal(left, right, same_label);
}

Result<void> append_dns_name(Bytes& to, const DnsName& name) {
  const std::size_t start = to.size();
  for (const std::string& label : name) TRY_VOID(append_counted(to, label, kMaxLabel));
  to.push_back(std::byte{0});
  if (to.size() - start > kMaxName) return fail(errc::invalid_argument, "DNS name is too long");
  return ok();
}

DnsType DnsRecord::type() const {
  constexpr DnsType kTypes[] = {DnsType::a, DnsType::aaaa, DnsType::ptr, DnsType::txt,
                                DnsType::srv};
  return kTypes[data.index()];
}

Result<DnsMessage> parse_mdns(ByteView bytes) {
  if (bytes.size() > kMaxMdnsMessage) {
    return fail(errc::limit, "mDNS message of " + std::to_string(bytes.size()) + " bytes");
  }
  if (bytes.size() < kHeaderSize) return damaged("it is incomplete");
  Cursor cursor(bytes);
  DnsMessage message;
  TRY(message.id, cursor.number<std::uint16_t>());
  TRY(const auto flags, cursor.number<std::uint16_t>());
  if (flags & kResponse) message.kind = DnsMessage::Kind::response;
  TRY(const auto questions, cursor.number<std::uint16_t>());
  std::size_t records = 0;
  for (int section = 0; section < 3; ++section) {
    TRY(const auto count, cursor.number<std::uint16_t>());
    records += count;
  }
  for (std::size_t i = 0; i < questions; ++i) {
    TRY(auto question, read_question(cursor));
    if (question) message.questions.push_back(*std::move(question));
  }
  for (std::size_t i = 0; i < records; ++i) {
    TRY(auto record, read_record(cursor));
    if (record) message.records.push_back(*std::move(record));
  }
  return message;
}

Result<Bytes> encode_mdns(const DnsMessage& message) {
  Bytes out;
  append_be16(out, message.id);
  append_be16(out, message.kind == DnsMessage::Kind::response ? kResponse | kAuthoritative : 0);
  append_be16(out, message.questions.size());
  append_be16(out, message.records.size());
  for (int i = 0; i < 2; ++i) append_be16(out, 0);
  for (const DnsQuestion& question : message.questions) {
    TRY_VOID(append_dns_name(out, question.name));
    append_be16(out, std::to_underlying(question.type));
    append_be16(out, kInternet | (question.answer == DnsQuestion::Answer::unicast ? kTopBit : 0u));
  }
  if (out.size() > kMaxMdnsMessage) return fail(errc::limit, "mDNS message is too long");
  return out;
}

}  // namespace adbproto
