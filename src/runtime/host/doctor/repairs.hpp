#pragma once
// What `doctor --fix` does, each by our own protocol code. A repair changes one thing and fails
// with the reason; whether it helped is found out by running the check again.

#include <string>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

// Runs `adb start-server`; a server is never ended here.
Task<void> repair_server(TargetOptions target);
// Makes the user's key where there is none.
Result<void> repair_keys();
// Grants all that the Operator app needs, and enables its accessibility service anew if it was
// listed and did not run.
Task<void> repair_permissions(adbproto::Device* device, std::string operator_package);

}  // namespace clawperator
