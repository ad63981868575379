#pragma once
// An announcement by mDNS: the records of a message (adbproto/wire/mdns.hpp).

#include <string>
#include <string_view>
#include <utility>

#include "adbproto/wire/mdns.hpp"

namespace adbproto {

inline void append_be16(Bytes& to, std::size_t value) {
  to.push_back(static_cast<std::byte>(value >> 8));
  to.push_back(static_cast<std::byte>(value));
}

struct AppendDnsData {
  Bytes& to;

  Result<void> operator()(const DnsAddress4& address) const { return raw(address.bytes); }
  Result<void> operator()(const DnsAddress6& address) const { return raw(address.bytes); }
  Result<void> operator()(const DnsPointer& pointer) const {
    return append_dns_name(to, pointer.target);
  }
  Result<void> operator()(const DnsText& text) const {
    if (text.entries.empty()) to.push_back(std::byte{0});
    for (const std::string& entry : text.entries) TRY_VOID(append_entry(entry));
    return ok();
  }
  Result<void> operator()(const DnsService& service) const {
    for (const auto word : {service.priority, service.weight, service.port}) append_be16(to, word);
    return append_dns_name(to, service.target);
  }
  [[nodiscard]] Result<void> append_entry(std::string_view entry) const {
    if (entry.empty() || entry.size() > 255) {
      return fail(
          errc::invalid_argument,
          "DNS cannot hold a text of " + std::to_string(entry.size()) + " bytes in this place");
    }
    to.push_back(static_cast<std::byte>(entry.size()));
    append(to, as_bytes(entry));
    return ok();
  }
  [[nodiscard]] Result<void> raw(ByteView bytes) const {
    append(to, bytes);
    return ok();
  }
};

inline Result<void> append_record(Bytes& to, const DnsRecord& record) {
  TRY_VOID(append_dns_name(to, record.name));
  append_be16(to, std::to_underlying(record.type()));
  append_be16(to, record.cache == DnsRecord::Cache::replaces ? 0x8001u : 1u);
  append_be16(to, record.ttl >> 16);
  append_be16(to, record.ttl & 0xffff);
  Bytes data;
  TRY_VOID(std::visit(AppendDnsData{data}, record.data));
  if (data.size() > kMaxMdnsMessage) return fail(errc::limit, "DNS record is too long");
  append_be16(to, data.size());
  append(to, data);
  return ok();
}

// A whole message; records go to the answer section. `invalid_argument` for a label, name or text
// that DNS cannot hold, `limit` above kMaxMdnsMessage.
inline Result<Bytes> encode_mdns_message(const DnsMessage& message) {
  TRY(Bytes out, encode_mdns(message));
  for (const DnsRecord& record : message.records) TRY_VOID(append_record(out, record));
  if (out.size() > kMaxMdnsMessage) return fail(errc::limit, "mDNS message is too long");
  return out;
}

}  // namespace adbproto
