#pragma once
// The virtual devices of this user, read from their files: no program of the SDK is needed.
//
// The folder: ANDROID_AVD_HOME, else ANDROID_USER_HOME/avd, else ANDROID_SDK_HOME/.android/avd,
// else ~/.android/avd.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/host/emulator/avd.hpp"

namespace clawperator {

// Empty when none of the variables, nor HOME, is set.
std::filesystem::path avd_folder();

// All that have a NAME.ini, by name. One whose other files are gone or unreadable is listed, with
// nothing known of it.
std::vector<Avd> list_avds(const std::filesystem::path& folder, HostArch arch);

// An unknown name is one that does not exist; requires is_avd_name(name).
Avd read_avd(const std::filesystem::path& folder, const std::string& name, HostArch arch);

// What an emulator puts into the folder of the device that it runs. One whose process is gone is
// left over and counts for nothing.
struct AvdLock {
  std::filesystem::path file{};
  pid_t holder = 0;
};
std::optional<AvdLock> held_lock(const std::filesystem::path& folder, const std::string& name);

}  // namespace clawperator
