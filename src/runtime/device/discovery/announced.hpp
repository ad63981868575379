#pragma once
// Phones that announce themselves, as rows.

#include "adbproto/client/discovery.hpp"
#include "runtime/device/discovery/surroundings.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

inline constexpr std::string_view kFloodNotice =
    "too many devices announce themselves in this network: phones may be missing";

// Where the service listens, as HOST:PORT with an IPv6 host in brackets.
std::string address_text(const adbproto::DiscoveredService& service);
DeviceRow announced_row(const adbproto::DiscoveredService& service);
// Does that instance bear the name? As itself, or as "NAME (2)": a phone that met its own old
// record counts up.
bool is_announced_as(std::string_view instance, std::string_view name);
// The newest announcement of that name.
std::optional<adbproto::DiscoveredService> last_announced(
    const std::vector<adbproto::DiscoveredService>& services, const std::string& name,
    adbproto::AdbService kind);

// The current address of the phone of that name. device_not_found without an answer in 3 s.
Task<adbproto::DeviceAddress> announced_address(std::shared_ptr<const Surroundings> surroundings,
                                                std::string name);

// Fails with `unsupported` or io where there is no multicast.
Task<std::unique_ptr<adbproto::Discovery>> start_discovery(const Surroundings* surroundings);

// The announcements (mDNS) within the window; errc::io where that is impossible.
Task<std::vector<DeviceRow>> announced_devices(TargetOptions options,
                                               std::chrono::milliseconds window);

}  // namespace clawperator
