#pragma once
// What flags and environment together decide.

#include <string>
#include <string_view>

#include "cli/globals.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator::cli {

inline constexpr std::string_view kReleaseOperatorPackage = "com.clawperator.operator";
inline constexpr std::string_view kBroadcastAction =
    "app.clawperator.operator.ACTION_AGENT_COMMAND";

// --operator-package, CLAWPERATOR_OPERATOR_PACKAGE, CLAWPERATOR_RECEIVER_PACKAGE (the old name),
// the release package.
std::string operator_package(const Globals& globals);

// --broadcast-action, CLAWPERATOR_BROADCAST_ACTION, what the shipped app listens to.
std::string broadcast_action(const Globals& globals);

// CLAWPERATOR_LOG_DIR (with a leading ~), else ~/.clawperator/logs; --log-level,
// CLAWPERATOR_LOG_LEVEL, info.
EventLogOptions log_options(const Globals& globals);

}  // namespace clawperator::cli
