#include <array>

#include "simdroid/adbd/service.hpp"

namespace simdroid {
namespace {

struct Row {
  std::string_view name;
  ServiceCode code;
};

constexpr std::array kRows{
    Row{"shell", serve_shell},
    Row{"exec", serve_shell},
    Row{"abb", serve_shell},
    Row{"abb_exec", serve_shell},
    Row{"sync", serve_sync},
    Row{"reverse", serve_reverse},
    Row{"tcp", serve_port},
    Row{"localabstract", serve_port},
    Row{"localfilesystem", serve_port},
    Row{"localreserved", serve_port},
    Row{"local", serve_port},
    Row{"framebuffer", serve_framebuffer},
    Row{"root", serve_text},
    Row{"unroot", serve_text},
    Row{"remount", serve_text},
    Row{"disable-verity", serve_text},
    Row{"enable-verity", serve_text},
    Row{"tcpip", serve_text},
    Row{"usb", serve_text},
    Row{"reconnect", serve_reboot},
    Row{"reboot", serve_reboot},
    Row{"jdwp", serve_tracker},
    Row{"track-jdwp", serve_tracker},
    Row{"track-app", serve_tracker},
};

}  // namespace

ServiceCall parse_service(ConnectionPtr connection, std::string_view service) {
  ServiceCall call;
  call.connection = std::move(connection);
  const std::size_t colon = std::min(service.find(':'), service.size());
  const std::string_view head = service.substr(0, colon);
  const std::size_t comma = std::min(head.find(','), head.size());
  call.name = std::string(head.substr(0, comma));
  call.options = std::string(head.substr(std::min(comma + 1, head.size())));
  call.argument = std::string(service.substr(std::min(colon + 1, service.size())));
  return call;
}

ServiceCode find_service(const ServiceCall& call) {
  const bool port = call.name == "tcp" || call.name.starts_with("local");
  if (port && call.phone()->ports.find(call.name + ":" + call.argument) == nullptr) return nullptr;
  if (call.name == "jdwp" && !call.argument.empty()) return nullptr;
  for (const Row& row : kRows) {
    if (row.name == call.name) return row.code;
  }
  return nullptr;
}

}  // namespace simdroid
