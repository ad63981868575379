#pragma once
// The phone's log, as far as it is one app's: lines of its processes, those that are there and
// those that are started later.

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "adbproto/wire/logcat.hpp"
#include "runtime/android/package_log_commands.hpp"

namespace clawperator {

// The processes of a package, by the lines of `ps` and by what the log says of new ones.
class PackageProcesses {
 public:
  explicit PackageProcesses(std::string package) : package_(std::move(package)) {}

  // What processes_line prints: the columns PID and NAME, wherever they stand.
  void read_listing(std::string_view printed);
  // "Start proc 2981:com.x/u0a118 for ..." of the system's own log.
  void note(const adbproto::LogEntry& entry);
  [[nodiscard]] bool has(std::int32_t pid) const { return pids_.contains(pid); }

 private:
  std::string package_;
  std::set<std::int32_t> pids_;
};

struct PackageLogRequest {
  std::string package{};
  char level = 'V';  // and above: V, D, I, W, E, F
  LogEnd end = LogEnd::follow;
};

// False where enough was read. The entry stays until the task has ended.
using OnLogLine = std::function<Task<bool>(const adbproto::LogEntry&)>;

// Until `on_line` has enough, the log ends (`stop`), or it is cancelled. link_lost,
// logcat_unavailable, package_not_found.
Task<void> read_package_log(adbproto::Device* device, PackageLogRequest request, OnLogLine on_line);

}  // namespace clawperator
