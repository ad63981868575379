#pragma once
// Phones that announce themselves on the local network (mDNS, IPv4 multicast).
//
//   MdnsBrowser <-- MulticastSocket, joined on every suitable interface

#include "adbproto/client/server_address.hpp"
#include "adbproto/session/mdns_browser.hpp"
#include "base/async/task.hpp"

namespace adbproto {

struct DiscoveryOptions {
  // The multicast group; tests use an address and port of their own. Empty: turned off.
  std::string group = "224.0.0.251";
  std::uint16_t port = 5353;
  std::string interface_address{};  // empty: all interfaces
};

// ADB_MDNS=0 turns it off; CLAWPERATOR_MDNS=GROUP:PORT,INTERFACE redirects it, for tests.
DiscoveryOptions discovery_options(const GetEnvironment& environment);

// Browses until destroyed. `unsupported` if it is turned off, io without a socket.
class Discovery {
 public:
  static Task<std::unique_ptr<Discovery>> start(DiscoveryOptions options);
  virtual ~Discovery() = default;

  // The known services; only complete records. A phone that announces itself again, perhaps as
  // "NAME (2)" beside its old record, is last.
  [[nodiscard]] virtual std::vector<DiscoveredService> services() const = 0;
  // More services are announced than can be stored: services() may lack phones.
  [[nodiscard]] virtual bool is_flooded() const = 0;
  // Returns when services() may have changed since the call.
  virtual Task<void> wait_change() = 0;
};

// Sorted by instance, for display.
std::vector<DiscoveredService> by_instance(std::vector<DiscoveredService> services);

}  // namespace adbproto
