#include "adbproto/wire/socket_spec.hpp"

#include "base/number.hpp"

namespace adbproto {
namespace {

Result<SocketSpec> parse_tcp(std::string_view text) {
  SocketSpec spec;
  std::string_view digits = text;
  if (const std::size_t colon = text.rfind(':'); colon != text.npos) {
    digits = text.substr(colon + 1);
    spec.host = text.substr(0, colon);
    const bool bracketed = spec.host.starts_with('[') && spec.host.ends_with(']');
    if (bracketed) spec.host = spec.host.substr(1, spec.host.size() - 2);
    if (spec.host.empty() || (!bracketed && spec.host.contains(':'))) {
      return fail(errc::invalid_argument,
                  "bad host in socket specification: tcp:" + std::string(text));
    }
  }
  const auto port = whole_number<std::uint16_t>(digits);
  if (!port) {
    return fail(errc::invalid_argument, "Invalid source port: '" + std::string(digits) + "'");
  }
  spec.port = *port;
  return spec;
}

// A NUL or nothing at all names no socket.
Result<SocketSpec> local(std::string path, std::string_view name) {
  if (name.empty() || name.contains('\0')) {
    return fail(errc::invalid_argument, "bad name in socket specification");
  }
  return SocketSpec{.kind = SocketSpec::Kind::local, .path = std::move(path) + std::string(name)};
}

}  // namespace

Result<SocketSpec> parse_socket_spec(std::string_view text) {
  const std::string_view rest = text.substr(text.find(':') + 1);
  if (text.starts_with("tcp:")) return parse_tcp(rest);
  if (text.starts_with("localabstract:")) return local(std::string(1, '\0'), rest);
  if (text.starts_with("localfilesystem:")) return local("", rest);
  return fail(errc::invalid_argument, "unknown socket specification: " + std::string(text));
}

}  // namespace adbproto
