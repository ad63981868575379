#include "runtime/host/operator/grants.hpp"

#include "base/error_members.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/permissions.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

namespace {

// Android binds a service soon after its listing, but a second or more after an update has ended
// its process. A ping is a tenth of a second of the phone's work.
constexpr auto kPauseOfPings = std::chrono::milliseconds(250);
constexpr auto kTimeToBind = kSettleTime;
constexpr auto kTimeAfterListing = 3 * kSettleTime;

struct Proof {
  ServiceState state = ServiceState::unknown;
  std::string problem{};  // of a ping without an answer
};

Task<Proof> send_ping(const Ping* ping, const std::string* package) {
  const auto answer = co_await (*ping)(*package);
  if (!answer && ends_everything(answer.error())) co_return std::unexpected(answer.error());
  co_return Proof{judge_ping(answer), answer ? "" : answer.error().message()};
}

// Pings until it runs, or until the pauses add up to `limit`.
Task<Proof> ping_again(const Ping* ping, const std::string* package, Clock::duration limit) {
  Proof proof{ServiceState::does_not_run};
  for (; limit.count() > 0 && proof.state == ServiceState::does_not_run; limit -= kPauseOfPings) {
    co_await sleep_for(kPauseOfPings);
    CO_TRY(proof, co_await send_ping(ping, package));
  }
  co_return proof;
}

asio::awaitable<std::string> what_is_in_the_way(adbproto::Device* device, Proof proof) {
  if (proof.state == ServiceState::unknown) {
    co_return "Whether the accessibility service runs is not known: " + proof.problem;
  }
  const PhoneMaker maker = co_await read_maker(device);
  co_return "The accessibility service is enabled, but does not run yet. " +
      hint_for(maker.name, maker.sdk, Symptom::service_struck);
}

}  // namespace

ServiceState judge_ping(const Result<ExecuteResult>& answer) {
  if (!answer) return ServiceState::unknown;
  return succeeded(answer->envelope) ? ServiceState::runs : ServiceState::does_not_run;
}

Task<std::string> prove_service(adbproto::Device* device, std::string operator_package, Ping ping) {
  if (!ping) co_return std::string();
  CO_TRY(Proof proof, co_await send_ping(&ping, &operator_package));
  if (proof.state == ServiceState::does_not_run) {
    CO_TRY(proof, co_await ping_again(&ping, &operator_package, kTimeToBind));
  }
  if (proof.state == ServiceState::does_not_run) {
    CO_TRY_VOID(co_await enable_accessibility(device, operator_package));
    CO_TRY(proof, co_await ping_again(&ping, &operator_package, kTimeAfterListing));
  }
  if (proof.state == ServiceState::runs) co_return std::string();
  co_return co_await what_is_in_the_way(device, std::move(proof));
}

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
  const PackageCheck check = find_packages(state.packages.value_or(""), wanted);
  if (!check.rivals.empty()) {
    Error error = ambiguous_operator(check.rivals, device->serial());
    outcome->grants = untried_grants(error.message());
    co_return std::unexpected(std::move(error));
  }
  package = check.package;
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
  CO_TRY(outcome->warning, co_await prove_service(device, package, request.ping));
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
