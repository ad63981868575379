#include "adbproto/session/mdns_browser.hpp"

#include <algorithm>
#include <tuple>

namespace adbproto {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::uint32_t kLongestTtl = 75 * 60;
// The earliest next query after one whose answers were incomplete.
constexpr auto kFollowUp = milliseconds(250);
constexpr std::size_t kMaxQuestions = 20;      // questions of one query
constexpr int kRenewals[] = {80, 85, 90, 95};  // percent of a record's life
// A record that replaces others keeps those of the same burst (RFC 6762, 10.2).
constexpr auto kBurst = seconds(1);

constexpr AdbService kServices[] = {AdbService::plain, AdbService::tls_connect,
                                    AdbService::tls_pairing};

DnsName type_name(AdbService service) {
  return dns_name(std::string(service_type(service)) + ".local");
}

std::optional<AdbService> service_of_type(const DnsName& name) {
  for (const AdbService service : kServices) {
    if (same_name(name, type_name(service))) return service;
  }
  return std::nullopt;
}

// "instance._adb._tcp.local"
std::optional<AdbService> service_of_instance(const DnsName& name) {
  if (name.empty()) return std::nullopt;
  return service_of_type(DnsName(name.begin() + 1, name.end()));
}

std::string address_text(const DnsAddress4& address) {
  std::string text;
  for (const std::byte b : address.bytes) {
    text += (text.empty() ? "" : ".") + std::to_string(std::to_integer<int>(b));
  }
  return text;
}

// All eight groups, without the :: short form.
std::string address_text(const DnsAddress6& address) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < address.bytes.size(); i += 2) {
    const unsigned group = std::to_integer<unsigned>(address.bytes[i]) << 8 |
                           std::to_integer<unsigned>(address.bytes[i + 1]);
    std::string digits;
    for (const int shift : {12, 8, 4, 0}) digits += kDigits[group >> shift & 15];
    digits.erase(0, std::min<std::size_t>(digits.find_first_not_of('0'), 3));
    text += (i == 0 ? "" : ":") + digits;
  }
  return text;
}

// Adds the question unless the query already has it.
bool add_question(std::vector<DnsQuestion>& questions, DnsQuestion question) {
  if (std::ranges::find(questions, question) != questions.end()) return true;
  if (questions.size() >= kMaxQuestions) return false;
  questions.push_back(std::move(question));
  return true;
}

// fe80::/10 is useless without an interface, which DNS does not contain.
bool is_link_local(const DnsAddress6& address) {
  return address.bytes[0] == std::byte{0xfe} &&
         (address.bytes[1] & std::byte{0xc0}) == std::byte{0x80};
}

}  // namespace

std::string_view service_type(AdbService service) {
  switch (service) {
    case AdbService::plain: return "_adb._tcp";
    case AdbService::tls_connect: return "_adb-tls-connect._tcp";
    case AdbService::tls_pairing: break;
  }
  return "_adb-tls-pairing._tcp";
}

Clock::time_point MdnsBrowser::next_wake() const {
  Clock::time_point wake = next_query_;
  for (const Known& known : records_) {
    wake = std::min({wake, known.expires, std::max(known.renew_at, quiet_until_)});
  }
  return wake;
}

bool MdnsBrowser::on_time(Clock::time_point now) {
  return std::erase_if(records_, [&](const Known& known) { return known.expires <= now; }) > 0;
}

std::optional<DnsMessage> MdnsBrowser::query(Clock::time_point now) {
  const bool is_due = now >= next_query_;
  if (!is_due && !wants_renewal(now)) return std::nullopt;
  DnsMessage message;
  if (is_due) {
    next_query_ = now + pause_;
    pause_ = std::min(2 * pause_, longest_pause_);
    for (const AdbService service : kServices) {
      add_question(message.questions, {type_name(service), DnsType::ptr});
    }
  }
  renew(message.questions, now);
  quiet_until_ = now + kFollowUp;
  if (is_due) {
    for (DnsQuestion& question : missing(kMaxQuestions))
      add_question(message.questions, std::move(question));
  }
  return message;
}

bool MdnsBrowser::wants_renewal(Clock::time_point now) const {
  return now >= quiet_until_ &&
         std::ranges::any_of(records_, [&](const Known& known) { return known.renew_at <= now; });
}

Clock::time_point MdnsBrowser::next_renewal(const Known& known, Clock::time_point now) {
  for (const int percent : kRenewals) {
    const auto at = known.received + (known.expires - known.received) / 100 * percent;
    if (at > now) return at;
  }
  return Clock::time_point::max();
}

// Questions that do not fit one query go into the next one.
void MdnsBrowser::renew(std::vector<DnsQuestion>& questions, Clock::time_point now) {
  for (Known& known : records_) {
    if (known.renew_at > now) continue;
    if (add_question(questions, {known.record.name, known.record.type()})) {
      known.renew_at = next_renewal(known, now);
    }
  }
}

bool MdnsBrowser::on_message(const DnsMessage& message, Clock::time_point now) {
  if (message.kind != DnsMessage::Kind::response) return false;
  bool changed = on_time(now);
  // Services first: only they show whose addresses are needed. A message may have any order.
  for (const bool addresses : {false, true}) {
    for (const DnsRecord& record : message.records) {
      const DnsType type = record.type();
      if ((type == DnsType::a || type == DnsType::aaaa) == addresses && is_wanted(record)) {
        changed |= learn(record, now);
      }
    }
  }
  if (changed && !missing(1).empty()) next_query_ = std::min(next_query_, now + kFollowUp);
  return changed;
}

std::vector<DiscoveredService> MdnsBrowser::services() const {
  struct Received {
    Clock::time_point at;
    DiscoveredService service;
  };
  std::vector<Received> received;
  for (const Known& known : records_) {
    const auto* pointer = std::get_if<DnsPointer>(&known.record.data);
    const Known* found = pointer ? find(pointer->target, DnsType::srv) : nullptr;
    if (!found) continue;
    const auto& service = std::get<DnsService>(found->record.data);
    const Known* v4 = find(service.target, DnsType::a);
    const Known* v6 = find(service.target, DnsType::aaaa);
    if (!v4 && !v6) continue;
    received.push_back({found->received,
                        {*service_of_type(known.record.name), pointer->target.front(),
                         v4 ? address_text(std::get<DnsAddress4>(v4->record.data))
                            : address_text(std::get<DnsAddress6>(v6->record.data)),
                         service.port}});
  }
  std::ranges::sort(received, {}, [](const Received& one) {
    return std::tie(one.at, one.service.instance, one.service.service);
  });
  std::vector<DiscoveredService> services;
  services.reserve(received.size());
  for (Received& one : received) services.push_back(std::move(one.service));
  return services;
}

// Of several records, the one that was received last.
const MdnsBrowser::Known* MdnsBrowser::find(const DnsName& name, DnsType type) const {
  const Known* found = nullptr;
  for (const Known& known : records_) {
    if (known.record.type() != type || !same_name(known.record.name, name)) continue;
    if (!found || known.received > found->received) found = &known;
  }
  return found;
}

bool MdnsBrowser::is_host(const DnsName& name) const {
  return std::ranges::any_of(records_, [&](const Known& known) {
    const auto* service = std::get_if<DnsService>(&known.record.data);
    return service && same_name(service->target, name);
  });
}

bool MdnsBrowser::is_wanted(const DnsRecord& record) const {
  switch (record.type()) {
    case DnsType::ptr: {
      const auto service = service_of_type(record.name);
      return service && service_of_instance(std::get<DnsPointer>(record.data).target) == service;
    }
    case DnsType::srv:
      return service_of_instance(record.name) && std::get<DnsService>(record.data).port != 0;
    case DnsType::a: return is_host(record.name);
    case DnsType::aaaa:
      return is_host(record.name) && !is_link_local(std::get<DnsAddress6>(record.data));
    default: return false;
  }
}

// Questions for the missing records of instances and hosts.
std::vector<DnsQuestion> MdnsBrowser::missing(std::size_t most) const {
  std::vector<DnsQuestion> open;
  for (const Known& known : records_) {
    if (open.size() >= most) break;
    if (const auto* pointer = std::get_if<DnsPointer>(&known.record.data)) {
      if (!find(pointer->target, DnsType::srv)) open.push_back({pointer->target, DnsType::srv});
    } else if (const auto* service = std::get_if<DnsService>(&known.record.data)) {
      if (find(service->target, DnsType::a) || find(service->target, DnsType::aaaa)) continue;
      open.push_back({service->target, DnsType::a});
      open.push_back({service->target, DnsType::aaaa});
    }
  }
  return open;
}

// Removes the records that this one replaces.
bool MdnsBrowser::replace(const DnsRecord& record, Clock::time_point now) {
  if (record.cache != DnsRecord::Cache::replaces) return false;
  return std::erase_if(records_, [&](const Known& known) {
           return known.received + kBurst < now && known.record.type() == record.type() &&
                  known.record.data != record.data && same_name(known.record.name, record.name);
         }) > 0;
}

bool MdnsBrowser::learn(const DnsRecord& record, Clock::time_point now) {
  const bool replaced = replace(record, now);
  const auto same = [&](const Known& known) {
    return known.record.data == record.data && same_name(known.record.name, record.name);
  };
  const auto at = std::ranges::find_if(records_, same);
  if (record.ttl == 0) {
    if (at == records_.end()) return replaced;
    records_.erase(at);
    return true;
  }
  const Clock::time_point expires = now + seconds(std::min(record.ttl, kLongestTtl));
  if (at != records_.end()) {
    at->received = now;
    at->expires = expires;
    at->renew_at = next_renewal(*at, now);
    return replaced;
  }
  // A flood evicts the oldest record: present phones repeat theirs.
  if (records_.size() >= kMaxRecords) {
    records_.erase(std::ranges::min_element(records_, {}, &Known::received));
    ++evicted_;
  }
  Known known{record, now, expires, {}};
  known.renew_at = next_renewal(known, now);
  records_.push_back(std::move(known));
  return true;
}

}  // namespace adbproto
