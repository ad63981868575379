#pragma once
// ~/.clawperator/targets.json: devices that `clawperator connect` reached without an adb server.
//   {"targets":["192.168.1.5:5555"]}

#include <string>
#include <vector>

#include "adbproto/base/error.hpp"

namespace clawperator {

// Empty when there is no file; entries that are no addresses are skipped.
std::vector<std::string> read_targets();
adbproto::Result<void> add_target(const std::string& address);
// False when it was not there.
adbproto::Result<bool> remove_target(const std::string& address);

}  // namespace clawperator
