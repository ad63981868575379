#pragma once
// What must hold before anything is dispatched: the Operator package is installed, and the apps
// that the execution closes are stopped.

#include <string>
#include <vector>

#include "runtime/contract/execution.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

// "x.dev" for "x", "x" for "x.dev".
std::string alternate_variant(const std::string& operator_package);

struct PackageCheck {
  bool installed = false;
  bool alternate_installed = false;
};

// Finds both variants in the lines `package:NAME` that `pm list packages` prints.
PackageCheck find_packages(std::string_view listing, const std::string& operator_package);

// Asks the device; chooses the channel's rung on the way. operator_not_installed when neither
// variant is there. Returns warnings for stderr (the other variant is installed).
adbproto::Task<std::vector<std::string>> check_operator(CommandChannel* channel,
                                                        std::string operator_package,
                                                        std::string device_id);

// `am force-stop` for every close_app action, in order. device_shell_unavailable when one fails;
// nothing was dispatched then.
adbproto::Task<void> stop_closed_apps(CommandChannel* channel, const Execution* execution);

}  // namespace clawperator
