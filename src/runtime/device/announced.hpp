#pragma once
// Phones that announce themselves, as rows.

#include <memory>
#include <string>

#include "adbproto/client/discovery.hpp"
#include "runtime/device/surroundings.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

// HOST:PORT, an IPv6 host in brackets.
std::string address_text(const adbproto::DiscoveredService& service);
DeviceRow announced_row(const adbproto::DiscoveredService& service);

// `unsupported` or io where there is no multicast.
adbproto::Task<std::unique_ptr<adbproto::Discovery>> start_discovery(
    const Surroundings* surroundings);

}  // namespace clawperator
