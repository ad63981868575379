#pragma once
// `--start-server`: runs `adb start-server` once. The one process this layer may spawn, and only
// with that option. The adb is ADB_PATH, else the first in PATH, else the SDK's.

#include "adbproto/client/server_address.hpp"
#include "base/async/task.hpp"

namespace clawperator {

// Set for the program that is started: under the name `adb` this program would start itself for
// ever.
inline constexpr const char* kStartsAdbServer = "CLAWPERATOR_STARTS_ADB_SERVER";

// Whether there is an adb to start one with.
bool has_adb_program();
// adb_not_found when there is no adb, adb_server_failed when it does not succeed within 15 s.
Task<void> start_adb_server(adbproto::ServerAddress address);

}  // namespace clawperator
