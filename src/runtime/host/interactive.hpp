#pragma once
// Whether the screen of a device can be acted on, in one round trip.

#include "runtime/engine/engine.hpp"

namespace clawperator {

// Errors of resolving; device_not_interactive (details: deviceId, awake, locked) where the device
// says that its screen is off or locked. One that says neither is taken at its word.
Task<void> check_interactive(TargetOptions target, ResolveDevice resolve = resolve_device);

}  // namespace clawperator
