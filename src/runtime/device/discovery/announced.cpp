#include "runtime/device/discovery/announced.hpp"
#include "adbproto/wire/errc.hpp"

namespace clawperator {

namespace {

// Two queries, a second apart, and their answers; a person waits for the error.
constexpr auto kDiscoveryWindow = std::chrono::milliseconds(3000);

Task<DiscoveredService> find_announced(adbproto::Discovery* discovery, std::string name) {
  for (;;) {
    for (const AdbService kind : {AdbService::tls_connect, AdbService::plain}) {
      if (auto found = last_announced(discovery->services(), name, kind)) co_return *found;
    }
    CO_TRY_VOID(co_await discovery->wait_change());
  }
}

}  // namespace

bool is_announced_as(std::string_view instance, std::string_view name) {
  if (!instance.starts_with(name)) return false;
  const std::string_view rest = instance.substr(name.size());
  if (rest.empty()) return true;
  constexpr std::string_view kOpen = " (";
  if (rest.size() <= kOpen.size() + 1 || !rest.starts_with(kOpen) || !rest.ends_with(')')) {
    return false;
  }
  const std::string_view number = rest.substr(kOpen.size(), rest.size() - kOpen.size() - 1);
  return number.find_first_not_of("0123456789") == number.npos;
}

Task<DeviceAddress> announced_address(std::shared_ptr<const Surroundings> surroundings,
                                      std::string name) {
  CO_TRY(const auto discovery, co_await start_discovery(surroundings.get()));
  const auto found = co_await with_deadline(find_announced(discovery.get(), name), kDiscoveryWindow,
                                            "looking for " + name);
  if (found) co_return DeviceAddress{found->host, found->port};
  if (found.error().code() != errc::deadline_exceeded) co_return std::unexpected(found.error());
  std::string why = "no device announces '" + name + "' in this network";
  if (discovery->is_flooded()) why += "; " + std::string(kFloodNotice);
  co_return fail(errc::device_not_found, std::move(why));
}

std::string address_text(const DiscoveredService& service) {
  return adbproto::DeviceAddress{service.host, service.port}.to_string();
}

DeviceRow announced_row(const DiscoveredService& service) {
  DeviceRow row{
      .serial = service.instance, .state = State::announced, .transport = Transport::mdns};
  row.service = service.service;
  row.address = address_text(service);
  return row;
}

std::optional<DiscoveredService> last_announced(const std::vector<DiscoveredService>& services,
                                                const std::string& name, AdbService kind) {
  std::optional<DiscoveredService> last;
  for (const DiscoveredService& service : services) {
    if (service.service == kind && is_announced_as(service.instance, name)) last = service;
  }
  return last;
}

Task<std::unique_ptr<adbproto::Discovery>> start_discovery(const Surroundings* surroundings) {
  if (!surroundings->start_discovery) co_return fail(errc::unsupported, "no mDNS in this system");
  co_return co_await surroundings->start_discovery();
}

Task<std::vector<DeviceRow>> announced_devices(TargetOptions options,
                                               std::chrono::milliseconds window) {
  const auto surroundings = surroundings_of(options);
  CO_TRY(const auto discovery, co_await start_discovery(surroundings.get()));
  co_await sleep_for(window);
  std::vector<DeviceRow> rows;
  for (const DiscoveredService& service : by_instance(discovery->services())) {
    rows.push_back(announced_row(service));
  }
  if (discovery->is_flooded() && options.on_notice) options.on_notice(kFloodNotice);
  co_return rows;
}

}  // namespace clawperator
