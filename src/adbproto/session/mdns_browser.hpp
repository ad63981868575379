#pragma once
// Finds adb's services by mDNS, as a pure machine: it decides when to send which query, and keeps
// the known records.
//
//   query()     at 0, then after 1, 2, 4 ... s: PTR of the three types, and what is missing to use
//               an instance (SRV, A, AAAA); beside that, records that will expire soon
//   on_message  PTR type -> instance, SRV instance -> host and port, A and AAAA host -> address
//
// A record lives as long as its TTL, at most 75 minutes; TTL 0 is its end. It is queried again at
// 80, 85, 90 and 95 % of that time (RFC 6762, 5.2): one lost answer is no departure. Only records
// that have to do with the three types are kept, and never more than kMaxRecords: beyond that the
// one that was received longest ago is evicted, and evicted() counts it.

#include "adbproto/wire/mdns.hpp"
#include "base/clock.hpp"

namespace adbproto {

enum class AdbService { plain, tls_connect, tls_pairing };  // _adb, _adb-tls-connect, ...-pairing

// "_adb-tls-connect._tcp"
std::string_view service_type(AdbService service);

struct DiscoveredService {
  AdbService service{};
  std::string instance{};  // "adb-SERIAL-abcdef", perhaps with " (2)"
  std::string host{};      // an address, IPv4 where there is one
  std::uint16_t port = 0;

  bool operator==(const DiscoveredService&) const = default;
};

class MdnsBrowser {
 public:
  // A service has about four records (PTR, SRV, A, AAAA): room for more than a hundred phones.
  static constexpr std::size_t kMaxRecords = 512;

  // `longest_pause` between two queries.
  MdnsBrowser(Clock::time_point now, Clock::duration longest_pause)
      : longest_pause_(longest_pause), next_query_(now) {}

  // The next time at which query() or services() may change without a message.
  [[nodiscard]] Clock::time_point next_wake() const;

  // Removes expired records. True: services() may have changed.
  bool on_time(Clock::time_point now);
  // The query to send now, if any.
  std::optional<DnsMessage> query(Clock::time_point now);
  // True: services() may have changed.
  bool on_message(const DnsMessage& message, Clock::time_point now);

  // Complete services, the last received at the end; those of the same moment are sorted by
  // instance.
  [[nodiscard]] std::vector<DiscoveredService> services() const;
  [[nodiscard]] std::size_t size() const { return records_.size(); }
  // The number of evicted records: services() may lack phones.
  [[nodiscard]] std::uint64_t evicted() const { return evicted_; }

 private:
  struct Known {
    DnsRecord record;
    Clock::time_point received;
    Clock::time_point expires;
    Clock::time_point renew_at;  // when to query it again
  };

  [[nodiscard]] const Known* find(const DnsName& name, DnsType type) const;
  [[nodiscard]] bool is_wanted(const DnsRecord& record) const;
  [[nodiscard]] bool is_host(const DnsName& name) const;
  [[nodiscard]] std::vector<DnsQuestion> missing(std::size_t most) const;
  static Clock::time_point next_renewal(const Known& known, Clock::time_point now);
  [[nodiscard]] bool wants_renewal(Clock::time_point now) const;
  void renew(std::vector<DnsQuestion>& questions, Clock::time_point now);
  bool learn(const DnsRecord& record, Clock::time_point now);
  bool replace(const DnsRecord& record, Clock::time_point now);

  Clock::duration longest_pause_;
  Clock::duration pause_ = std::chrono::seconds(1);
  Clock::time_point next_query_;
  Clock::time_point quiet_until_ = Clock::time_point::min();  // no renewals before
  std::vector<Known> records_{};
  std::uint64_t evicted_ = 0;
};

}  // namespace adbproto
