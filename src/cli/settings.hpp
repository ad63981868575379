#pragma once
// What flags and environment together decide.

#include "base/error.hpp"
#include "cli/grammar/globals.hpp"
#include "runtime/act/seen.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator::daemon {
struct Surface;
}

namespace clawperator::cli {

// --operator-package, CLAWPERATOR_OPERATOR_PACKAGE, CLAWPERATOR_RECEIVER_PACKAGE (the old name).
NamedOperator operator_package(const Globals& globals);

// "~" and "~/..." with the user's home; everything else as it is.
std::string expand_home(std::string path);

// USAGE for what is too long to name a file on any computer.
Result<void> check_path_length(std::string_view flag, std::string_view path);

// --broadcast-action, CLAWPERATOR_BROADCAST_ACTION; absent: what the app's family listens to.
std::optional<std::string> broadcast_action(const Globals& globals);

// What this user's commands have shown of screens: $XDG_CACHE_HOME/clawperator/snapshots.
act::SnapshotStore snapshot_store();
// All commands of a user see the screens that one of them was shown.
act::Seen seen_screens();

// `--timeout` where the published contract checks it before anything else: absent or finite.
Result<double> finite_timeout_or(const Globals& globals, double otherwise);

using TimeLimit = std::optional<std::chrono::milliseconds>;

// Absent when --timeout is. Any time up to an hour: an execution's range is narrower.
Result<TimeLimit> time_limit(const Globals& globals);

// CLAWPERATOR_LOG_DIR (with a leading ~), else ~/.clawperator/logs; --log-level,
// CLAWPERATOR_LOG_LEVEL, info.
EventLogOptions log_options(const Globals& globals);
// Says on stderr which folder for locks and the socket is left out, and why.
void warn_of_runtime_folders();

// What must be the same of two processes, so that one may run the other's commands: the variables
// and options that decide what a command finds and where it writes.
daemon::Surface surface_of(const Globals& globals);

// USAGE: a process that stays would accept every later phone, too.
Result<void> check_accepts_nobody(const Globals& globals);

// nullopt: this command runs by itself (--no-daemon, CLAWPERATOR_NO_DAEMON, or what only its own
// process can do: log to stderr, start an adb server).
std::optional<daemon::Surface> daemon_surface(const Globals& globals);

}  // namespace clawperator::cli
