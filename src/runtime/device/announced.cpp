#include "runtime/device/announced.hpp"

namespace clawperator {

using adbproto::AdbService;
using adbproto::DiscoveredService;
using adbproto::Errc;
using adbproto::fail;
using adbproto::Task;

namespace {

std::string_view service_word(AdbService service) {
  switch (service) {
    case AdbService::plain: return "plain";
    case AdbService::tls_connect: return "connect";
    case AdbService::tls_pairing: return "pairing";
  }
  return "";
}

}  // namespace

std::string address_text(const DiscoveredService& service) {
  return adbproto::DeviceAddress{service.host, service.port}.to_string();
}

DeviceRow announced_row(const DiscoveredService& service) {
  DeviceRow row{.serial = service.instance, .state = "announced", .transport = "mdns"};
  row.service = service_word(service.service);
  row.address = address_text(service);
  return row;
}

Task<std::unique_ptr<adbproto::Discovery>> start_discovery(const Surroundings* surroundings) {
  if (!surroundings->start_discovery) co_return fail(Errc::unsupported, "no mDNS in this system");
  co_return co_await surroundings->start_discovery();
}

Task<std::vector<DeviceRow>> announced_devices(TargetOptions options,
                                               std::chrono::milliseconds window) {
  const auto surroundings = surroundings_of(options);
  CO_TRY(const auto discovery, co_await start_discovery(surroundings.get()));
  co_await adbproto::sleep_for(window);
  std::vector<DeviceRow> rows;
  for (const DiscoveredService& service : discovery->services()) {
    rows.push_back(announced_row(service));
  }
  co_return rows;
}

}  // namespace clawperator
