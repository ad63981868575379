#pragma once
// Whether a command may run through another process of this user, and what must be the same there.

#include <optional>

#include "cli/grammar/globals.hpp"
#include "runtime/daemon/messages.hpp"

namespace clawperator::cli {

// Of any process: the variables and options that decide what a command finds and where it writes.
daemon::Surface surface_of(const Globals& globals);

// nullopt: this command runs by itself (--no-daemon, CLAWPERATOR_NO_DAEMON, or what only its own
// process can do: log to stderr, start an adb server).
std::optional<daemon::Surface> daemon_surface(const Globals& globals);

}  // namespace clawperator::cli
