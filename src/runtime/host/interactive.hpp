#pragma once
// Whether the screen of a device can be acted on, in one round trip.

#include "runtime/android/screen_state.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator {

// device_not_interactive (details: deviceId, awake, locked) where the device says that its screen
// is off or locked. One that says neither is taken at its word.
Result<void> judge_interactive(const std::string& serial, const ScreenState& state);

// Errors of resolving; those of judge_interactive.
Task<void> check_interactive(TargetOptions target, ResolveDevice resolve = resolve_device);

}  // namespace clawperator
