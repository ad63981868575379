#pragma once
// The process behind the socket: keeps devices connected for the commands that ask.

#include <functional>
#include <optional>

#include "runtime/daemon/door.hpp"

namespace clawperator::daemon {

struct DaemonOptions {
  TargetOptions target;  // which adb server, which transport
  Surface surface;
  EventLog* log = nullptr;  // must outlive the task
  std::optional<std::chrono::milliseconds> idle_limit;
  base::FileHandle passed;  // see DoorOptions
  std::function<void()> on_listening;
};

// Until it is cancelled, told to stop or idle for too long: then the executions in flight end.
// Fails with serve_failed where another process answers already.
Task<void> run_daemon(DaemonOptions options);

}  // namespace clawperator::daemon
