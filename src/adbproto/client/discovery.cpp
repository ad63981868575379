#include "adbproto/client/discovery.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "adbproto/link/multicast.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"

namespace adbproto {
namespace {

using std::chrono::seconds;

// Phones announce themselves; a query finds those whose announcement was lost.
constexpr auto kPauseWhenAnnounced = seconds(60);
// If no announcements arrive, a query finds a new phone, at most 4 s late.
constexpr auto kPauseWhenUnheard = seconds(4);
// A socket that fails at once would loop without a pause; a network returns within seconds.
constexpr auto kPauseAfterFailure = seconds(1);

// Written by its two coroutines and read by the owner, all on one thread.
struct Browsing {
  Browsing(const asio::any_io_executor& executor, MulticastSocketPtr with, std::uint16_t mdns_port)
      : socket(std::move(with)),
        port(mdns_port),
        browser(Clock::now(), socket->receives_announcements()
                                  ? Clock::duration(kPauseWhenAnnounced)
                                  : Clock::duration(kPauseWhenUnheard)),
        wake(executor, Clock::time_point::max()),
        changed(executor) {}

  MulticastSocketPtr socket;
  std::uint16_t port;
  MdnsBrowser browser;
  Timer wake;  // of the query coroutine; cancelled when a query is due earlier
  Signal changed;
  std::uint64_t changes = 0;

  void note(bool has_changed) {
    if (!has_changed) return;
    ++changes;
    changed.notify_all();
  }
};

using BrowsingPtr = std::shared_ptr<Browsing>;

asio::awaitable<void> send_queries(BrowsingPtr browsing) {
  for (;;) {
    const auto now = Clock::now();
    browsing->note(browsing->browser.on_time(now));
    if (const auto query = browsing->browser.query(now)) {
      const auto bytes = encode_mdns(*query);
      // An interface may come up later, so a query that cannot be sent is skipped.
      if (bytes) (void)co_await browsing->socket->send(*bytes);
    }
    browsing->wake.expires_at(browsing->browser.next_wake());
    co_await browsing->wake.async_wait(kNoThrow);
  }
}

asio::awaitable<void> listen(BrowsingPtr browsing) {
  for (;;) {
    const auto datagram = co_await browsing->socket->receive();
    if (!datagram && datagram.error().code() != errc::io) co_return;
    if (!datagram) {
      co_await sleep_for(kPauseAfterFailure);
      continue;
    }
    // RFC 6762, 6 and 11: an answer from another port, or from outside this link, is ignored.
    if (datagram->port != browsing->port || !datagram->is_from_this_link) continue;
    const auto message = parse_mdns(datagram->bytes);
    if (!message) continue;
    browsing->note(browsing->browser.on_message(*message, Clock::now()));
    browsing->wake.cancel();
  }
}

class MulticastDiscovery final : public Discovery {
 public:
  MulticastDiscovery(const asio::any_io_executor& executor, MulticastSocketPtr socket,
                     std::uint16_t port)
      : browsing_(std::make_shared<Browsing>(executor, std::move(socket), port)), scope_(executor) {
    scope_.spawn(send_queries(browsing_));
    scope_.spawn(listen(browsing_));
  }
  ~MulticastDiscovery() override {
    scope_.cancel();
    browsing_->socket->close();
    browsing_->changed.notify_all();
  }
  MulticastDiscovery(const MulticastDiscovery&) = delete;
  MulticastDiscovery& operator=(const MulticastDiscovery&) = delete;

  [[nodiscard]] std::vector<DiscoveredService> services() const override {
    return browsing_->browser.services();
  }

  [[nodiscard]] bool is_flooded() const override { return browsing_->browser.evicted() != 0; }

  Task<void> wait_change() override {
    const BrowsingPtr browsing = browsing_;
    const auto before = browsing->changes;
    co_await browsing->changed.wait();
    if (browsing->changes == before) co_return fail(errc::cancelled, "discovery was cancelled");
    co_return ok();
  }

 private:
  BrowsingPtr browsing_;
  Scope scope_;
};

// Reads "GROUP:PORT,INTERFACE"; any other text changes nothing.
DiscoveryOptions moved(DiscoveryOptions options, const std::string& place) {
  const auto comma = place.find(',');
  const std::string group = place.substr(0, comma);
  const auto colon = group.find(':');
  options.group = group.substr(0, colon);
  if (comma != place.npos) options.interface_address = place.substr(comma + 1);
  if (colon != group.npos) {
    std::from_chars(group.data() + colon + 1, group.data() + group.size(), options.port);
  }
  return options;
}

}  // namespace

DiscoveryOptions discovery_options(const GetEnvironment& environment) {
  DiscoveryOptions options;
  if (const auto place = environment("CLAWPERATOR_MDNS"); place && !place->empty()) {
    options = moved(std::move(options), *place);
  }
  if (environment("ADB_MDNS") == "0") options.group.clear();
  return options;
}

Task<std::unique_ptr<Discovery>> Discovery::start(DiscoveryOptions options) {
  if (options.group.empty()) {
    co_return fail(errc::unsupported, "mDNS is turned off by ADB_MDNS=0");
  }
  const auto executor = co_await asio::this_coro::executor;
  const MulticastOptions multicast{options.group, options.port, options.interface_address};
  CO_TRY(auto socket, open_multicast(executor, multicast));
  co_return std::make_unique<MulticastDiscovery>(executor, std::move(socket), options.port);
}

std::vector<DiscoveredService> by_instance(std::vector<DiscoveredService> services) {
  std::ranges::sort(services, {}, [](const DiscoveredService& one) {
    return std::tie(one.instance, one.service);
  });
  return services;
}

}  // namespace adbproto
