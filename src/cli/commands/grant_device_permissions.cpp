#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/doctor/questions.hpp"
#include "runtime/host/operator/grants.hpp"

namespace clawperator::cli {
namespace {

Task<void> resolve_and_grant(PingOptions options, NamedOperator package, bool* begun,
                             GrantOutcome* outcome) {
  CO_TRY(auto resolved, co_await resolve_device(options.target));
  const std::shared_ptr device(std::move(resolved));
  *begun = true;
  GrantRequest request{std::move(package), ping_of(device, std::move(options))};
  co_return co_await grant_device_permissions(device.get(), std::move(request), outcome);
}

Result<Answer> run_grant(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  TRY(const TimeLimit limit, time_limit(globals));
  bool begun = false;
  GrantOutcome outcome;
  PingOptions options{globals.target, broadcast_action(globals)};
  auto task = resolve_and_grant(std::move(options), operator_package(globals), &begun, &outcome);
  const auto done = run_task(within(std::move(task), limit, "granting the permissions"));
  if (!outcome.warning.empty()) print_warning("[clawperator] WARN: " + outcome.warning);
  if (!done && begun) return std::unexpected(grant_error(done.error(), outcome));
  if (!done) return std::unexpected(done.error());
  return Answer{.json = to_json(outcome),
                .text = outcome.operator_package + "\n" + grants_for_people(outcome.grants) +
                        grant_message(outcome) + "\n"};
}

}  // namespace

constinit const Command kGrantDevicePermissions = {
    .name = "grant-device-permissions",
    .summary = "Grant the Operator app its permissions again",
    .details =
        "Enables the app's accessibility service and its notification listener, and grants\n"
        "POST_NOTIFICATIONS. Services of other apps stay enabled. Use it when the app has\n"
        "crashed and lost its permissions; `clawperator operator setup` includes it. Without\n"
        "--operator-package it applies to the installed variant.",
    .examples =
        "grant-device-permissions\n"
        "grant-device-permissions --device emulator-5554 --operator-package "
        "com.clawperator.operator.dev\n",
    .run = run_grant};

}  // namespace clawperator::cli
