#pragma once
// The settings that flags and environment decide together.

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

// Replaces "~" and "~/..." by the user's home; other paths stay unchanged.
std::string expand_home(std::string path);

// USAGE for a path that is too long on any computer.
Result<void> check_path_length(std::string_view flag, std::string_view path);

// --broadcast-action, CLAWPERATOR_BROADCAST_ACTION; absent: the default of the app's family.
std::optional<std::string> broadcast_action(const Globals& globals);

// The screens that this user's commands have shown: $XDG_CACHE_HOME/clawperator/snapshots.
act::SnapshotStore snapshot_store();
// A screen that one command has shown is known to all commands of the user.
act::Seen seen_screens();

// `--timeout` for commands that must check it before everything else: absent or finite.
Result<double> finite_timeout_or(const Globals& globals, double otherwise);

using TimeLimit = std::optional<std::chrono::milliseconds>;

// Absent without --timeout. Any time up to an hour; the range of an execution is narrower.
Result<TimeLimit> time_limit(const Globals& globals);

// CLAWPERATOR_LOG_DIR (with a leading ~), else ~/.clawperator/logs; --log-level,
// CLAWPERATOR_LOG_LEVEL, info.
EventLogOptions log_options(const Globals& globals);
// Prints a warning when a runtime folder for locks and sockets is not used, with the reason.
void warn_of_runtime_folders();

// The settings that two processes must share, so that one may run the other's commands: the
// variables and options that decide what a command finds and where it writes.
daemon::Surface surface_of(const Globals& globals);

// USAGE with --accept-new: a long-lived process would accept every later phone, too.
Result<void> refuse_accept_new(const Globals& globals);

// nullopt: this command runs without a daemon, because of --no-daemon, CLAWPERATOR_NO_DAEMON, or an
// option that works only in its own process (log to stderr, start an adb server).
std::optional<daemon::Surface> daemon_surface(const Globals& globals);

}  // namespace clawperator::cli
