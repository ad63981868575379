#pragma once
// Nothing is deleted or written over that an emulator may have open. Where nobody can tell whether
// it has, the answer is that it may.

#include <filesystem>
#include <string>
#include <vector>

#include "adbproto/link/task.hpp"
#include "runtime/host/emulator/running.hpp"

namespace clawperator {

struct AvdUse {
  TargetOptions target{};  // of the adb server
  std::filesystem::path avds{};
  std::string name{};
};

// emulator_already_running: one of that name runs, in whatever state, or its lock is held.
Task<void> require_idle(AvdUse use);

// Fails as require_idle does, and also while an emulator runs that does not tell its name.
Task<void> require_surely_idle(AvdUse use);

// Pure: which of them has, or may have, that device open; nullptr: none.
enum class Doubt { ignore, respect };
const RunningEmulator* in_the_way(const std::vector<RunningEmulator>& running,
                                  std::string_view name, Doubt doubt);

}  // namespace clawperator
