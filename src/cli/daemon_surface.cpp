#include "cli/daemon_surface.hpp"

#include <cstdlib>

#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

// Those of environment_table() that tell how a device is found, reached and remembered, and where
// files go: what a daemon with others would do otherwise.
constexpr const char* kVariables[] = {
    "HOME",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "ADB_SERVER_SOCKET",
    "ANDROID_ADB_SERVER_ADDRESS",
    "ANDROID_ADB_SERVER_PORT",
    "ADB_VENDOR_KEYS",
    "ADB_MDNS",
    "ANDROID_USER_HOME",
    "ANDROID_SDK_HOME",
    "CLAWPERATOR_OPERATOR_PACKAGE",
    "CLAWPERATOR_RECEIVER_PACKAGE",
    "CLAWPERATOR_BROADCAST_ACTION",
    "CLAWPERATOR_USB",
    "CLAWPERATOR_MDNS",
};

bool daemon_is_refused(const Globals& globals) {
  const auto refused = environment_variable("CLAWPERATOR_NO_DAEMON");
  return globals.no_daemon || (refused && *refused != "0");
}

}  // namespace

daemon::Surface surface_of(const Globals& globals) {
  daemon::Surface surface{.version = std::string(kVersionText), .settings = {}};
  for (const char* name : kVariables) {
    if (const auto value = environment_variable(name)) surface.settings[name] = *value;
  }
  const EventLogOptions log = log_options(globals);
  surface.settings["log folder"] = log.folder;
  surface.settings["log level"] = std::to_string(static_cast<int>(log.level));
  if (globals.target.adb_server) surface.settings["adb server"] = *globals.target.adb_server;
  return surface;
}

std::optional<daemon::Surface> daemon_surface(const Globals& globals) {
  if (daemon_is_refused(globals) || globals.verbose || globals.target.start_server) {
    return std::nullopt;
  }
  return surface_of(globals);
}

}  // namespace clawperator::cli
