#pragma once
// Forwarding over a direct route, as long as this process lives. With an adb server the server owns
// the forwards (ServerClient::change_forwards).
//
//   Forward   client --> listener here  --> device->open("tcp:8080")
//   Reverse   client --> listener there --> device opens a stream --> connection from here
//
// The bytes of each end are copied to the other; a slow reader slows its writer. The device
// protocol has no half-open streams. When a host's client has finished writing, the stream stays
// open while the device still sends (200 ms without bytes end it). When the device closes, the
// client gets the rest and then the end.

#include <asio/any_io_executor.hpp>

#include "adbproto/client/device.hpp"
#include "adbproto/wire/services.hpp"

namespace adbproto {

// Copies in both directions until both have ended.
asio::awaitable<void> join_streams(ByteStreamPtr host, ByteStreamPtr device);

class Forward {
 public:
  // Listens at once, tcp: only on the loopback address. `device` outlives this. Fails with
  // invalid_argument or io and adb's words.
  static Result<std::unique_ptr<Forward>> listen(const asio::any_io_executor& executor,
                                                 Device* device, const std::string& host_spec,
                                                 std::string device_spec);
  virtual ~Forward() = default;

  [[nodiscard]] virtual std::uint16_t port() const = 0;  // 0 unless tcp:
  // Serves until cancelled or the device is gone (link_lost).
  virtual Task<void> serve() = 0;
};

class Reverse {
 public:
  // From now on the device can reach `host_spec`, and nothing else on this host. Fails with refused
  // and the device's message, or unsupported through a server.
  static Task<std::unique_ptr<Reverse>> start(Device* device, std::string device_spec,
                                              std::string host_spec, Rebind rebind);
  virtual ~Reverse() = default;

  [[nodiscard]] virtual const std::string& port() const = 0;  // from the device's reply, or empty
  virtual Task<void> serve() = 0;
};

// Runs one `reverse:` verb of wire/services.hpp on any route. Returns the port, the list, or
// nothing. Fails with refused and the device's message.
Task<std::string> query_reverse(Device* device, std::string service);

// Parses a whole answer: OKAY [LLLL port], FAIL LLLL text, or for a list LLLL lines.
Result<std::string> parse_reverse_reply(ByteView bytes);

}  // namespace adbproto
