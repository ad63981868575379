#pragma once
// TCP targets that a user names: kept, so that later commands find them.

#include "base/async/task.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

// `clawperator connect|disconnect HOST:PORT` (or the name a phone announces itself by): through the
// adb server where one runs, and kept in ~/.clawperator/targets.json. Returns the text for the
// terminal.
Task<std::string> connect_target(TargetOptions options, std::string address);
Task<std::string> disconnect_target(TargetOptions options, std::string address);

}  // namespace clawperator
