#pragma once
// One Android device over any route: services are opened by name and become streams.

#include "adbproto/wire/banner.hpp"
#include "base/async/byte_stream.hpp"
#include "base/async/signal.hpp"

namespace adbproto {

class IncomingStream;  // client/transport_connection.hpp

// Facts about the route to a device; a member is absent if the route does not have it.
struct RouteFacts {
  std::optional<std::chrono::microseconds> rtt{};  // of the handshake
  bool delayed_ack = false;
  bool tls = false;
  bool agreed_at_once = false;    // a direct link whose device required no key
  std::uint32_t max_payload = 0;  // 0: known only to the server
  std::string place{};            // its place on the bus ("usb:1-2"), because serials may repeat
  std::string_view state{};       // adb's name for the banner's type; empty: the server has it
  std::string product{};          // this and the next two come from its banner
  std::string model{};
  std::string device{};

  bool operator==(const RouteFacts&) const = default;
};

// A stream that is opened right after the host's first packet, a round trip before the device has
// answered. A device without authentication accepts it. A device that requires a key, or agrees on
// another flow control, drops it (adbd's handle_packet), and open() sends it again. So this is only
// for services that may be opened twice.
struct EarlyOpen {
  std::string service;
  bool delayed_ack = false;  // the expected agreement
};

class Device {
 public:
  virtual ~Device() = default;

  // Opens a service such as "shell,v2,raw:id". Fails with unsupported (a name that crashes peers:
  // `spin`, `dev:`, unknown `reverse:` verbs), invalid_argument (see check_service), limit (a name
  // too long for this route, too many streams), refused (by the device or the server),
  // deadline_exceeded or cancelled. If the way to the device ends: link_lost on a direct route,
  // closed or io at a server; `closed` is also a stream whose peer broke its rules. A server whose
  // answer is invalid is `protocol`.
  virtual Task<ByteStreamPtr> open(std::string service) = 0;

  [[nodiscard]] virtual const std::string& serial() const = 0;
  [[nodiscard]] virtual const FeatureSet& features() const = 0;
  [[nodiscard]] virtual std::string_view route() const = 0;  // "server", "tcp" or "usb"
  [[nodiscard]] virtual RouteFacts facts() const { return {}; }

  // Sets the receiver of streams that the device opens (reverse forwards). On a direct route they
  // are refused until it is set. With a server the server gets them: `unsupported`.
  virtual Result<void> on_incoming(std::function<void(std::unique_ptr<IncomingStream>)> /*take*/) {
    return fail(errc::unsupported, "the adb server receives the streams that a device opens");
  }
  // Ends when the link is lost. A server does not report that: the task then sleeps until
  // cancelled.
  virtual asio::awaitable<void> wait_lost() { return until_cancelled(); }
  // Ends the link: all its streams fail with link_lost and this reason. Idempotent. Does nothing if
  // the link belongs to the server.
  virtual void lose(std::string /*why*/) {}

  // The longest service name that this route carries.
  [[nodiscard]] virtual std::size_t max_service_size() const = 0;
};

}  // namespace adbproto
