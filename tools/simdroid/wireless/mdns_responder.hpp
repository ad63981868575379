#pragma once
// Announces a phone's services by mDNS and answers queries, as Android's wireless debugging does.
//
//   PTR _adb-tls-connect._tcp.local -> INSTANCE...   SRV, TXT of the instance   A of the host

#include <asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/client/discovery.hpp"
#include "adbproto/link/multicast.hpp"
#include "adbproto/wire/mdns.hpp"
#include "base/async/scope.hpp"

namespace simdroid {

struct Announced {
  adbproto::AdbService service{};
  std::string instance;
  std::uint16_t port = 0;
};

struct Announcement {
  std::string host_name = "Android";  // without ".local"
  std::string address = "127.0.0.1";  // IPv4
  std::vector<Announced> services{};
};

// Everything, as sent unasked at the start (and with TTL 0 at the end).
enum class Farewell { no, yes };
adbproto::DnsMessage announce(const Announcement& announcement, Farewell farewell);
// The answer to a query, if any of it is about us.
std::optional<adbproto::DnsMessage> answer(const Announcement& announcement,
                                           const adbproto::DnsMessage& query);

class MdnsResponder {
 public:
  MdnsResponder(const asio::any_io_executor& executor, Announcement announcement);
  ~MdnsResponder();
  MdnsResponder(const MdnsResponder&) = delete;
  MdnsResponder& operator=(const MdnsResponder&) = delete;

  // Joins the group, announces and answers in the background.
  Result<void> start(const adbproto::DiscoveryOptions& where);
  // Sends a goodbye and ends; required before destruction.
  asio::awaitable<void> stop();

 private:
  struct State;

  static asio::awaitable<void> run(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace simdroid
