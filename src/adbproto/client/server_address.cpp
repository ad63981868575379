#include "adbproto/client/server_address.hpp"

#include <algorithm>

#include "adbproto/link/socket_stream.hpp"
#include "base/number.hpp"

namespace adbproto {
namespace {

constexpr std::string_view kTcp = "tcp:";
constexpr std::string_view kLocal = "localfilesystem:";

std::optional<std::uint16_t> parse_port(std::string_view text) {
  const auto port = whole_number<std::uint16_t>(text);
  return port == 0 ? std::nullopt : port;
}

struct HostPort {
  std::string_view host;
  std::optional<std::string_view> port;
};

// "host", "host:port", "[v6]", "[v6]:port"; nullopt for anything else.
std::optional<HostPort> split_host_port(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const HostPort found{text.substr(1, end - 1), std::nullopt};
    const std::string_view rest = text.substr(end + 1);
    if (rest.empty()) return found;
    if (!rest.starts_with(':')) return std::nullopt;
    return HostPort{found.host, rest.substr(1)};
  }
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return HostPort{text, std::nullopt};
  if (text.find(':', colon + 1) != std::string_view::npos) return std::nullopt;
  return HostPort{text.substr(0, colon), text.substr(colon + 1)};
}

bool printable(std::string_view host) {
  return !host.empty() && host.find_first_of(" \t\r\n/") == std::string_view::npos &&
         host.find('\0') == std::string_view::npos;
}

std::string join(const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

std::string ServerAddress::to_string() const {
  return path.empty() ? std::string(kTcp) + join(host, port) : std::string(kLocal) + path;
}

std::string DeviceAddress::to_string() const { return join(host, port); }

Result<ServerAddress> parse_server_address(std::string_view spec) {
  const auto refuse = [&] {
    return fail(errc::invalid_argument, "not an adb server address: '" + std::string(spec) + "'");
  };
  ServerAddress address;
  if (spec.starts_with(kLocal)) {
    address.path = spec.substr(kLocal.size());
    if (address.path.empty()) return refuse();
    return address;
  }
  const std::string_view rest = spec.starts_with(kTcp) ? spec.substr(kTcp.size()) : spec;
  if (const auto port = parse_port(rest)) {
    address.port = *port;
    return address;
  }
  const auto split = split_host_port(rest);
  if (!split || !split->port || !printable(split->host)) return refuse();
  const auto port = parse_port(*split->port);
  if (!port) return refuse();
  address.host = split->host;
  address.port = *port;
  return address;
}

bool is_server_named(const std::optional<std::string>& flag, const GetEnvironment& environment) {
  return flag || !environment("ADB_SERVER_SOCKET").value_or("").empty() ||
         !environment("ANDROID_ADB_SERVER_ADDRESS").value_or("").empty();
}

Result<ServerAddress> choose_server_address(const std::optional<std::string>& flag,
                                            const GetEnvironment& environment) {
  const auto variable = [&](const char* name) -> std::optional<std::string> {
    auto value = environment(name);
    return value && value->empty() ? std::nullopt : value;
  };
  if (flag) return parse_server_address(*flag);
  if (const auto socket = variable("ADB_SERVER_SOCKET")) return parse_server_address(*socket);
  ServerAddress address;
  if (const auto host = variable("ANDROID_ADB_SERVER_ADDRESS")) address.host = *host;
  if (const auto text = variable("ANDROID_ADB_SERVER_PORT")) {
    const auto port = parse_port(*text);
    if (!port) {
      return fail(errc::invalid_argument, "ANDROID_ADB_SERVER_PORT is not a port: '" + *text + "'");
    }
    address.port = *port;
  }
  return address;
}

Result<DeviceAddress> parse_device_address(std::string_view text) {
  const auto split = split_host_port(text);
  DeviceAddress address;
  std::optional<std::uint16_t> port = address.port;
  if (split && split->port) port = parse_port(*split->port);
  if (!split || !port || !printable(split->host)) {
    return fail(errc::invalid_argument, "not a device address: '" + std::string(text) + "'");
  }
  address.host = split->host;
  address.port = *port;
  return address;
}

bool is_device_address(const std::string& name) {
  constexpr std::string_view kOtherNames[] = {"usb", "model", "product", "device"};
  const auto address = parse_device_address(name);
  if (!address || address->to_string() != name) return false;
  return std::ranges::find(kOtherNames, address->host) == std::end(kOtherNames);
}

Task<ByteStreamPtr> connect_server(ServerAddress address) {
  if (!address.path.empty()) co_return co_await connect_unix(address.path);
  co_return co_await connect_tcp(address.host, address.port);
}

}  // namespace adbproto
