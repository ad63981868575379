#pragma once
// `grant-device-permissions`: the grants alone, for the package that was asked for or the one that
// is installed.

#include <optional>
#include <string>

#include "runtime/host/operator/service_proof.hpp"
#include "runtime/host/permissions.hpp"

namespace clawperator {

struct GrantOutcome {
  std::string operator_package = "<unknown>";
  GrantReport grants = untried_grants();
  std::string warning{};  // the grants stand, but the service does not run
};

// What is wanted: the package asked for, else the one that is there; and how to prove that it runs.
struct GrantRequest {
  std::optional<std::string> operator_package{};
  std::function<Ping(std::string operator_package)> ping{};  // absent: nothing is proved
};

// Fails with grant_device_permissions_failed or link_lost; grant_error adds the grants.
Task<void> grant_device_permissions(adbproto::Device* device, GrantRequest request,
                                    GrantOutcome* outcome);
Error grant_error(const Error& error, const GrantOutcome& outcome);
// {"operatorPackage","accessibility","notification","notificationListener","message"}
std::string to_json(const GrantOutcome& outcome);
std::string grant_message(const GrantOutcome& outcome);

inline constexpr std::string_view kNoListing =
    "The device does not tell which packages are installed.";

}  // namespace clawperator
