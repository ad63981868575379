#include "adbproto/wire/services.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/number.hpp"

namespace adbproto {
namespace {

std::string join(std::string_view prefix, std::span<const std::string> arguments) {
  std::string out(prefix);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out += '\0';
    out += arguments[i];
  }
  return out;
}

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const auto part : parts) out += part;
  return out;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// `local;remote`, both present.
bool is_forward_pair(std::string_view specs) {
  const std::size_t semicolon = specs.find(';');
  return semicolon != specs.npos && semicolon > 0 && semicolon + 1 < specs.size();
}

bool is_reverse_request(std::string_view request) {
  if (request == "killforward-all" || request == "list-forward") return true;
  if (take_prefix(request, "killforward:")) return !request.empty();
  if (!take_prefix(request, "forward:")) return false;
  take_prefix(request, "norebind:");
  return is_forward_pair(request);
}

bool has_empty_argument(std::string_view arguments) {
  return arguments.empty() || arguments.starts_with('\0') || arguments.ends_with('\0') ||
         arguments.contains(std::string_view("\0\0", 2));
}

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

// An empty text, or one with a NUL, names no socket.
Result<SocketSpec> local(std::string path, std::string_view name) {
  if (name.empty() || name.contains('\0')) {
    return fail(errc::invalid_argument, "bad name in socket specification");
  }
  return SocketSpec{.kind = SocketSpec::Kind::local, .path = std::move(path) + std::string(name)};
}

}  // namespace

std::string opening(std::string_view service) {
  std::string text = "opening " + std::string(service.substr(0, 64));
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string shell_v2_raw(std::string_view command) { return concat({"shell,v2,raw:", command}); }
std::string shell_v1(std::string_view command) { return concat({"shell:", command}); }
std::string exec(std::string_view command) { return concat({"exec:", command}); }
std::string abb(std::span<const std::string> arguments) { return join("abb:", arguments); }
std::string abb_exec(std::span<const std::string> arguments) {
  return join("abb_exec:", arguments);
}

std::string reverse_forward(std::string_view device_spec, std::string_view host_spec,
                            Rebind rebind) {
  return "reverse:" + forward(device_spec, host_spec, rebind);
}
std::string reverse_kill(std::string_view device_spec) {
  return concat({"reverse:killforward:", device_spec});
}
std::string reverse_kill_all() { return "reverse:killforward-all"; }
std::string reverse_list() { return "reverse:list-forward"; }

std::string transport_serial(std::string_view serial) {
  return concat({"host:transport:", serial});
}
std::string transport_id(std::uint64_t id) { return "host:transport-id:" + std::to_string(id); }

std::string host(std::string_view what) { return concat({"host:", what}); }
std::string host_serial(std::string_view serial, std::string_view what) {
  return concat({"host-serial:", serial, ":", what});
}
std::string host_transport_id(std::uint64_t id, std::string_view what) {
  return concat({"host-transport-id:", std::to_string(id), ":", what});
}

std::string host_for(const DeviceChoice& choice, std::string_view what) {
  constexpr std::string_view kScopes[] = {"host:", "host-usb:", "host-local:"};
  if (choice.transport_id) return host_transport_id(*choice.transport_id, what);
  if (!choice.serial.empty()) return host_serial(choice.serial, what);
  return concat({kScopes[static_cast<std::size_t>(choice.reach)], what});
}

std::string transport_for(const DeviceChoice& choice) {
  if (choice.transport_id) return transport_id(*choice.transport_id);
  if (!choice.serial.empty()) return transport_serial(choice.serial);
  constexpr std::string_view kReaches[] = {"any", "usb", "local"};
  return concat({"host:transport-", kReaches[static_cast<std::size_t>(choice.reach)]});
}

std::string forward(std::string_view host_spec, std::string_view device_spec, Rebind rebind) {
  return concat({"forward:", rebind == Rebind::no ? "norebind:" : "", host_spec, ";", device_spec});
}
std::string kill_forward(std::string_view host_spec) { return concat({"killforward:", host_spec}); }

std::string quote_for_shell(std::string_view argument) {
  std::string out = "'";
  for (const char c : argument) {
    if (c == '\'') {
      out += R"('"'"')";
    } else {
      out += c;
    }
  }
  return out + "'";
}

Result<void> check_service(std::string_view service) {
  if (service.empty()) return fail(errc::invalid_argument, "empty service name");
  const bool is_abb = service.starts_with("abb:") || service.starts_with("abb_exec:");
  if (!is_abb && service.contains('\0')) {
    return fail(errc::invalid_argument, "service name contains a NUL");
  }
  const auto arguments = is_abb ? service.substr(service.find(':') + 1) : std::string_view();
  if (arguments.size() > kMaxAbbName) {
    return fail(errc::limit, "an abb command of " + std::to_string(arguments.size()) + " bytes");
  }
  if (is_abb && has_empty_argument(arguments)) {
    return fail(errc::invalid_argument, "an abb command with an empty argument, which adbd drops");
  }
  const auto refuse = [&](std::string_view why) {
    return fail(errc::unsupported, concat({"service ", service, " is never opened: ", why}));
  };
  if (service == "spin" || service.starts_with("spin:")) return refuse("it hangs adbd");
  if (service.starts_with("dev:") || service.starts_with("dev-raw:")) {
    return refuse("it can crash adbd");
  }
  if (take_prefix(service, "reverse:") && !is_reverse_request(service)) {
    return fail(errc::unsupported, concat({"service reverse:", service,
                                           " is never opened: it aborts the adb server"}));
  }
  return {};
}

Result<std::string> parse_connect_reply(std::string_view text) {
  if (text.starts_with("connected to") || text.starts_with("already connected to")) {
    return std::string(text);
  }
  if (text.empty()) return fail(errc::refused, "the server did not connect and gave no reason");
  return fail(errc::refused, std::string(text));
}

Result<SocketSpec> parse_socket_spec(std::string_view text) {
  const std::string_view rest = text.substr(text.find(':') + 1);
  if (text.starts_with("tcp:")) return parse_tcp(rest);
  if (text.starts_with("localabstract:")) return local(std::string(1, '\0'), rest);
  if (text.starts_with("localfilesystem:")) return local("", rest);
  return fail(errc::invalid_argument, "unknown socket specification: " + std::string(text));
}

}  // namespace adbproto
