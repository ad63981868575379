#pragma once
// Sockets as adb spells them, of the kinds that exist on this host:
//
//   tcp:PORT   tcp:HOST:PORT   tcp:[V6]:PORT   localabstract:NAME   localfilesystem:PATH

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace adbproto {

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
