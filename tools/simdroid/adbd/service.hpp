#pragma once
// A service of the phone's adbd: a name that the host opens, and the coroutine that serves it.

#include <memory>
#include <string>
#include <string_view>

#include "adbproto/client/transport_connection.hpp"
#include "simdroid/device/phone.hpp"

namespace simdroid {

// The connection of a service; each service keeps it alive.
struct Connection {
  Phone* phone = nullptr;
  std::unique_ptr<TransportConnection> transport;
  std::string name;     // "host-12": the first column of `reverse --list`
  FeatureSet features;  // the announced ones; no others are served
};
using ConnectionPtr = std::shared_ptr<Connection>;

struct ServiceCall {
  ConnectionPtr connection;
  std::string name;      // the part before ':' or ','
  std::string options;   // between ',' and ':'
  std::string argument;  // after ':'
  std::shared_ptr<ByteStream> stream;

  [[nodiscard]] Phone* phone() const { return connection->phone; }
};

// Returns when the service has ended; the caller closes the stream.
using ServiceCode = asio::awaitable<void> (*)(ServiceCall);

// Splits the name; `stream` is left empty.
ServiceCall parse_service(ConnectionPtr connection, std::string_view service);

// Null: there is no such service, or it is refused (a port without a listener).
ServiceCode find_service(const ServiceCall& call);

// The groups of services.
asio::awaitable<void> serve_shell(ServiceCall call);  // shell: exec: abb: abb_exec:
asio::awaitable<void> serve_sync(ServiceCall call);
asio::awaitable<void> serve_reverse(ServiceCall call);
asio::awaitable<void> serve_port(ServiceCall call);  // tcp: local*:
asio::awaitable<void> serve_framebuffer(ServiceCall call);
asio::awaitable<void> serve_text(ServiceCall call);  // root: remount: tcpip: ...
asio::awaitable<void> serve_reboot(ServiceCall call);
asio::awaitable<void> serve_tracker(ServiceCall call);  // jdwp track-jdwp track-app

}  // namespace simdroid
