#pragma once
// `--start-server`: runs `adb start-server` once. The one process this layer may spawn, and only
// when the user says so. The adb is ADB_PATH, else the first in PATH, else the SDK's.

#include "adbproto/client/server_address.hpp"
#include "adbproto/link/task.hpp"

namespace clawperator {

// adb_not_found when there is no adb, adb_server_failed when it does not succeed within 15 s.
Task<void> start_adb_server(adbproto::ServerAddress address);

}  // namespace clawperator
