#pragma once
// The device's own `input`, for processes that keep devices connected.

#include <string>

#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/device_session.hpp"

namespace clawperator {

// The serial number of the device that has taken it; what a maker's setting may forbid is said.
Task<std::string> send_input(Supervisor* devices, DeviceSessions* sessions, TargetOptions target,
                             DeviceInput input);

}  // namespace clawperator
