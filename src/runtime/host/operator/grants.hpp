#pragma once
// Grants the Operator app its permissions, and checks whether its service then runs.
//
// Does the Operator's accessibility service run? The device's settings only contain that it may;
// one round trip to the app proves it.
//
//   ping -> [pings for 1.5 s] -> [list it again, pings for 4.5 s] -> the obstacle

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/host/permissions.hpp"

namespace clawperator {

// One doctor_ping to that package; absent: nothing is proved.
using Ping = std::function<Task<ExecuteResult>(std::string operator_package)>;

enum class ServiceState : std::uint8_t { runs, does_not_run, unknown };
ServiceState judge_ping(const Result<ExecuteResult>& answer);

// Empty when the service runs; else the obstacle, for the user. Fails only when the device is gone
// or the caller has cancelled.
Task<std::string> prove_service(adbproto::Device* device, std::string operator_package, Ping ping);

// `grant-device-permissions`: the grants alone, for the named package or the installed one.
struct GrantOutcome {
  std::string operator_package = "<unknown>";
  GrantReport grants = untried_grants();
  std::string warning{};  // the grants stand, but the service does not run
};

// The package: the named one, else the installed one; and how to prove that it runs.
struct GrantRequest {
  std::optional<std::string> operator_package{};
  Ping ping{};
};

// Fails with grant_device_permissions_failed or link_lost; grant_error adds the grants.
Task<void> grant_device_permissions(adbproto::Device* device, GrantRequest request,
                                    GrantOutcome* outcome);
Error grant_error(const Error& error, const GrantOutcome& outcome);
// {"operatorPackage","accessibility","notification","notificationListener","message"}
std::string to_json(const GrantOutcome& outcome);
std::string grant_message(const GrantOutcome& outcome);

inline constexpr std::string_view kNoListing =
    "The device does not report which packages are installed.";

}  // namespace clawperator
