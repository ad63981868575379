#pragma once
// The Operator app to the front: a process that makers' guards will not start for a broadcast they
// do start for this.

#include <string>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"

namespace clawperator {

// Starts its activity. android_app_launch_failed with the device's words; link_lost.
Task<void> launch_operator(adbproto::Device* device, std::string operator_package);

}  // namespace clawperator
