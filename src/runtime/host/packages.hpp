#pragma once
// What is installed on a device.

#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/android/chore_commands.hpp"

namespace clawperator {

// Those of the user in front, as the device's package manager prints them, in its order.
// device_shell_unavailable when it fails.
Task<std::vector<std::string>> list_packages(adbproto::Device* device, PackageKind kind);

// The names in `package:NAME` lines; CR LF, blanks and other lines are tolerated.
std::vector<std::string> parse_package_list(std::string_view listing);

}  // namespace clawperator
