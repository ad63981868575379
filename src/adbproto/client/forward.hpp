#pragma once
// Forwarding over a direct route; it lives as long as this process. With an adb server forwards
// are the server's (ServerClient::change_forwards).
//
//   Forward   client --> listener here  --> device->open("tcp:8080")
//   Reverse   client --> listener there --> device opens a stream --> connection from here
//
// Both ends are copied into each other; a slow reader holds up its writer. The protocol of a device
// has no half-open streams: when a host's client has finished writing, the stream lives on for as
// long as the device keeps answering (200 ms of silence end it); when the device closes, the client
// gets what is left and then the end.

#include <asio/any_io_executor.hpp>

#include "adbproto/client/device.hpp"
#include "adbproto/wire/services.hpp"

namespace adbproto {

// Copies both ways until both are over.
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
  // From here on the device can reach `host_spec`, and nothing else of this host. Fails with
  // refused and the device's words, unsupported through a server.
  static Task<std::unique_ptr<Reverse>> start(Device* device, std::string device_spec,
                                              std::string host_spec, Rebind rebind);
  virtual ~Reverse() = default;

  [[nodiscard]] virtual const std::string& port() const = 0;  // by the device's reply, or empty
  virtual Task<void> serve() = 0;
};

// One `reverse:` verb of wire/services.hpp on any route: the port, the list, or nothing. Fails with
// refused and the device's words.
Task<std::string> query_reverse(Device* device, std::string service);

// The whole of such an answer: OKAY [LLLL port], FAIL LLLL words, or of a list LLLL lines.
Result<std::string> parse_reverse_reply(ByteView bytes);

}  // namespace adbproto
