#include "runtime/host/operator/grants.hpp"

#include "runtime/contract/advice.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/operator_package.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

namespace {

Error not_there(const PermissionState& state, const std::string& package,
                const std::string& serial) {
  if (!state.packages) return {errc::grant_device_permissions_failed, std::string(kNoListing)};
  const std::string command = setup_command(package, serial);
  return {errc::grant_device_permissions_failed,
          "Operator package " + package + " is not installed on the device.",
          ErrorMembers().text("hint", "Install it with: " + command).str()};
}

}  // namespace

Task<void> grant_device_permissions(adbproto::Device* device, GrantRequest request,
                                    GrantOutcome* outcome) {
  AndroidServices services(device);
  const auto& wanted = request.operator_package;
  std::string package = wanted.value_or(std::string(kReleaseOperatorPackage));
  outcome->operator_package = package;
  CO_TRY(auto state, co_await read_permission_state(&services, package));
  const PackageCheck check = find_packages(state.packages.value_or(""), package);
  if (!wanted && !check.installed && check.alternate_installed) {
    package = alternate_variant(package);
  } else if (!check.installed) {
    Error error = not_there(state, package, device->serial());
    outcome->grants = untried_grants(error.message());
    co_return std::unexpected(std::move(error));
  }
  outcome->operator_package = package;
  CO_TRY_VOID(co_await write_grants(&services, package, std::move(state), &outcome->grants));
  CO_TRY_VOID(co_await confirm_grants(&services, package, &outcome->grants));
  if (!outcome->grants.ok()) {
    co_return std::unexpected(co_await with_vendor_hint(
        device, {errc::grant_device_permissions_failed, outcome->grants.first_error()}));
  }
  if (!request.ping) co_return ok();
  CO_TRY(outcome->warning, co_await prove_service(device, package, request.ping(package)));
  co_return ok();
}

Error grant_error(const Error& error, const GrantOutcome& outcome) {
  JsonObject members;
  members.text("operatorPackage", outcome.operator_package);
  add_grants(members, outcome.grants);
  return with_members(error, members);
}

std::string grant_message(const GrantOutcome& outcome) {
  const GrantReport& grants = outcome.grants;
  return grants.accessibility.already_enabled && grants.notification_listener.already_enabled
             ? "The Operator app's permissions were already enabled."
             : "The Operator app has its permissions now. Next: clawperator doctor";
}

std::string to_json(const GrantOutcome& outcome) {
  JsonObject json;
  json.text("operatorPackage", outcome.operator_package);
  return add_grants(json, outcome.grants).text("message", grant_message(outcome)).str();
}

}  // namespace clawperator
