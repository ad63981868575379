#pragma once
// Whether the screen of a device can be acted on, in one round trip.

#include "adbproto/client/device.hpp"

namespace clawperator {

// device_not_interactive (details: deviceId, awake, locked) where the device says that its screen
// is off or locked. One that says neither is taken at its word.
Task<void> check_interactive(adbproto::Device* device);

}  // namespace clawperator
