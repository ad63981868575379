#pragma once
// The Operator app's own log of its crashes: files/crash-log.txt in its private folder, which only
// `run-as` opens, and only of a debuggable build.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

// The app only appends to the file; the last crashes matter, and a trace has a few KiB.
inline constexpr std::size_t kMaxCrashLog = 4 << 20;

struct CrashLog {
  std::string text{};      // empty: it has not crashed yet
  bool truncated = false;  // the beginning is left out
  std::string operator_package{};
};

// The last kMaxCrashLog bytes, of the app that is named or of the one that is installed.
// operator_not_installed, crash_log_unavailable with the reason, link_lost,
// device_shell_unavailable.
Task<CrashLog> read_crash_log(adbproto::Device* device, NamedOperator wanted);

// Judges the device's answer to the query; pure.
Result<CrashLog> judge_crash_log(const CommandOutput& output, const std::string& operator_package);

}  // namespace clawperator
