#pragma once
// The device's own `input`, by whoever holds a device and by processes that keep devices connected.

#include <string>

#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/device_session.hpp"

namespace clawperator {

// What a maker's setting may forbid is said.
Task<void> give_input(adbproto::Device* device, DeviceInput input);

// The serial number of the device that has taken it.
Task<std::string> send_input(Supervisor* devices, DeviceSessions* sessions, TargetOptions target,
                             DeviceInput input);

}  // namespace clawperator
