#pragma once
// The phone's log, as far as it is one app's: lines of its processes, and its crashes.
//
//   1732226463                              the phone's clock
//   events   ... I am_crash: [0,2981,com.x,551042628,java.lang.X,why,Main.java,42]
//            ... I am_anr  : [0,2981,com.x,551042628,Input dispatching timed out ...]
//   crashes  ... E AndroidRuntime: FATAL EXCEPTION: main
//            ... E AndroidRuntime: Process: com.x, PID: 2981

#include <set>

#include "adbproto/client/device.hpp"
#include "adbproto/wire/logcat.hpp"
#include "base/async/task.hpp"
#include "base/json_text.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

enum class CrashKind : std::uint8_t { java, native, anr };

struct Crash {
  CrashKind kind = CrashKind::java;
  std::int64_t time_ms = 0;  // by the phone's clock, since the epoch
  std::string process{};
  std::int64_t pid = 0;
  std::string exception{};  // or the signal; empty for an ANR
  std::string message{};
  std::vector<std::string> trace{};  // its first lines

  bool operator==(const Crash&) const = default;
};

struct CrashReport {
  std::int64_t crashes = 0;  // as far back as the log reaches
  std::int64_t anrs = 0;
  std::optional<Crash> last{};
  std::optional<std::int64_t> ago_ms{};  // since the last
};

// `printed`: what crashes_line prints. Of the package's own processes, `com.x` and `com.x:...`.
CrashReport parse_crashes(std::string_view printed, std::string_view package);

// Its kind, time, process, message and place.
JsonObject to_json(const Crash& crash);
std::string_view kind_name(CrashKind kind);  // java, native, anr

// Whether that process is one of the package's.
bool is_process_of(std::string_view process, std::string_view package);

// In one bounded read of the phone's log. package_not_found, logcat_unavailable, and what
// run_on_device fails with.
Task<CrashReport> read_crashes(adbproto::Device* device, std::string package);

// The last crash of the package, with "agoMs", where it was in the last ten minutes. Empty where
// there was none, and where the phone does not answer within five seconds.
Task<JsonObject> find_recent_crash(TargetOptions target, std::string package,
                                   ResolveDevice resolve = resolve_device);

// The processes of a package, by the lines of `ps` and by the log's lines about new ones.
class PackageProcesses {
 public:
  explicit PackageProcesses(std::string package) : package_(std::move(package)) {}

  // The output of processes_line: the columns PID and NAME, in any order.
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
