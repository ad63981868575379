#pragma once
// Names of services, as in a smart-socket request or an OPEN packet; and the lines for a device's
// sh that are part of them.

#include "base/error.hpp"

namespace adbproto {

// "opening NAME", for a message: its beginning, and a blank for each character that is none.
std::string opening(std::string_view service);

// Services of a device.
std::string shell_v2_raw(std::string_view command);
std::string shell_v1(std::string_view command);
std::string exec(std::string_view command);
std::string abb(std::span<const std::string> arguments);       // framed as shell v2
std::string abb_exec(std::span<const std::string> arguments);  // raw
enum class Rebind { yes, no };
std::string reverse_forward(std::string_view device_spec, std::string_view host_spec,
                            Rebind rebind);
std::string reverse_kill(std::string_view device_spec);
std::string reverse_kill_all();
std::string reverse_list();

// Switching a server connection to a device.
std::string transport_serial(std::string_view serial);
std::string transport_id(std::uint64_t id);

// Services of the server. `what` is a verb such as "features".
std::string host(std::string_view what);
std::string host_serial(std::string_view serial, std::string_view what);
std::string host_transport_id(std::uint64_t id, std::string_view what);

enum class DeviceReach { any, usb, local };
// Which of the server's devices a request is for, as adb's -t, -s, -d and -e choose: a transport id
// before a serial before "the only one" (that is reached over USB, over TCP).
struct DeviceChoice {
  std::optional<std::uint64_t> transport_id{};
  std::string serial{};
  DeviceReach reach = DeviceReach::any;
};
// "host-serial:X:get-state", "host-usb:features", ...
std::string host_for(const DeviceChoice& choice, std::string_view what);
// "host:transport:X", "host:transport-local", ...
std::string transport_for(const DeviceChoice& choice);

// Verbs for host_for().
std::string forward(std::string_view host_spec, std::string_view device_spec, Rebind rebind);
std::string kill_forward(std::string_view host_spec);

// One argument for the device's sh: in single quotes, inner ones written as '"'"'.
std::string quote_for_shell(std::string_view argument);

// Bytes of abb's arguments: adbd passes them on with four hex digits of length.
inline constexpr std::size_t kMaxAbbName = 65531;

// Refuses, as `unsupported`, device services that crash or hang their peer: `spin`, `dev:`,
// `dev-raw:` and unknown `reverse:` verbs; as `invalid_argument` an empty name, a NUL outside of
// abb's arguments and an empty argument of abb's, which adbd drops; as `limit` more than
// kMaxAbbName bytes of them.
Result<void> check_service(std::string_view service);

// `host:connect:` answers OKAY and a sentence for success and failure alike. Returns the sentence,
// or `refused` with it.
Result<std::string> parse_connect_reply(std::string_view text);

// Sockets as adb spells them, of the kinds that exist on this host:
//
//   tcp:PORT   tcp:HOST:PORT   tcp:[V6]:PORT   localabstract:NAME   localfilesystem:PATH

struct SocketSpec {
  enum class Kind { tcp, local };

  Kind kind = Kind::tcp;
  std::string host{};      // tcp; empty: this host
  std::uint16_t port = 0;  // tcp; 0: any free one
  std::string path{};      // local; begins with NUL in the abstract namespace

  bool operator==(const SocketSpec&) const = default;
};

// Fails with invalid_argument and adb's words.
Result<SocketSpec> parse_socket_spec(std::string_view text);

}  // namespace adbproto
