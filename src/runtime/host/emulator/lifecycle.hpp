#pragma once
// Starting and stopping emulators.
//
//   spawn -> listed by the adb server, or its console answers (60 s) -> both boot properties are 1
//   (180 s)
//
// The emulator survives us, whatever becomes of the wait. It is recognised by the name of its
// virtual device, so that emulators that start at the same time are not taken for each other.

#include <filesystem>

#include "base/async/task.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/emulator/running.hpp"

namespace clawperator {

struct EmulatorHost {
  TargetOptions target{};  // of the adb server
  std::filesystem::path avds{};
  std::filesystem::path logs{};  // the emulator's output goes below it
  HostArch arch = this_host();
  // Bounds the whole wait, instead of the published limits.
  std::optional<std::chrono::milliseconds> start_limit{};
  std::function<void(std::string)> on_progress{};  // a line for the user who waits
};

// `respect`: an emulator without a known name may have the device open, too.
enum class Doubt { ignore, respect };

// Nothing is deleted or written over that an emulator may have open. emulator_already_running: one
// of that name runs, in whatever state, or its lock is held.
Task<void> require_idle(EmulatorHost host, std::string name, Doubt doubt);

// Pure: which of them has, or may have, that device open; nullptr: none.
const RunningEmulator* in_the_way(const std::vector<RunningEmulator>& running,
                                  std::string_view name, Doubt doubt);

// emulator_not_found, emulator_already_running, android_sdk_tool_missing, emulator_start_failed
// (it ended early, or did not register), emulator_boot_timeout (it still runs), cancelled (it still
// runs).
Task<RunningEmulator> start_emulator(EmulatorHost host, std::string name);

// Until a running one has booted; emulator_boot_timeout.
Task<RunningEmulator> wait_until_booted(EmulatorHost host, RunningEmulator emulator);

// `name` may be a serial: that of an emulator without a known name. emulator_not_running,
// emulator_stop_failed, cancelled. Returns when its device and its console are gone.
Task<RunningEmulator> stop_emulator(EmulatorHost host, std::string name);

// nullptr: none with that name runs.
const RunningEmulator* find_by_name(const std::vector<RunningEmulator>& running,
                                    std::string_view name);

// The last lines of an emulator's output, at most 2000 bytes; empty without a file.
std::string tail_of_log(const std::filesystem::path& log_file);

}  // namespace clawperator
