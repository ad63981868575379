#pragma once
// The device's own `input`, by whoever holds a device and by processes that keep devices connected.

#include <string>

#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/device_session.hpp"

namespace clawperator {

// What a maker's setting may forbid is said.
Task<PictureProof> give_input(adbproto::Device* device, DeviceInput input);

// The device that has taken it, by its serial number.
struct InputDone {
  std::string device;
  PictureProof proof{};
};
Task<InputDone> send_input(Supervisor* devices, DeviceSessions* sessions, TargetOptions target,
                           DeviceInput input);

}  // namespace clawperator
