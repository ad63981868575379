
#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "cli/adb/transfer.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/host/doctor/questions.hpp"
#include "runtime/host/operator/setup.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kCanonical =
    "clawperator operator setup --apk <path> [--device <serial>] [--operator-package <package>]";
constexpr std::string_view kDetails =
    "clawperator operator setup --apk <path>\n"
    "\n"
    "installs the package over an older one, enables the app's accessibility service and its\n"
    "notification listener, grants POST_NOTIFICATIONS and verifies that the package is\n"
    "installed. The result names each phase, and an error names its phase. Without\n"
    "--operator-package the variant (release or debug) is the installed one.\n"
    "\n"
    "The first signer of a package is remembered in ~/.clawperator/operator_signers.json.\n"
    "Another signer is OPERATOR_SIGNER_CHANGED, before any device is used; --accept-new-signer\n"
    "accepts it. `operator install` remains a compatibility alias, like the top-level words\n"
    "`setup` and `install`. `operator download` fetches the package.";
constexpr std::string_view kExamples =
    "operator setup --apk ~/.clawperator/downloads/operator.apk\n"
    "operator setup --apk operator-debug.apk --device emulator-5554 --operator-package "
    "com.clawperator.operator.dev\n";

constexpr std::array kOperatorOptions{
    Option{"--apk", "", Arity::one, "<file>", "the Operator package on this computer"},
    kAcceptNewSigner,
};

Result<std::string> apk_of(const Invocation& invocation) {
  const std::string* apk = invocation.arguments.value("--apk");
  if (apk != nullptr && !is_blank(*apk)) {
    TRY_VOID(check_path_length("--apk", *apk));
    return expand_home(*apk);
  }
  const std::string name(invocation.command->name);
  const bool top_level = name.find(' ') == name.npos;
  ErrorMembers members;
  if (top_level) members.text("canonical", kCanonical);
  members.text("example", "clawperator operator setup --apk ~/.clawperator/downloads/operator.apk");
  return fail(errc::usage,
              apk != nullptr ? "--apk value must not be blank"
                             : name + " needs --apk <path>: " + std::string(kCanonical),
              members.str());
}

Task<void> resolve_and_set_up(PingOptions options, SetupRequest request, SetupReport* report) {
  CO_TRY_VOID(co_await check_apk_file(&request, report));
  CO_TRY(auto resolved, co_await resolve_device(options.target));
  const std::shared_ptr device(std::move(resolved));
  request.ping = ping_of(device, std::move(options));
  co_return co_await set_up_operator(device.get(), std::move(request), report);
}

std::string setup_for_people(const SetupReport& report) {
  const std::string version = printable_name(report.apk_version.value_or(""));
  return "  ok      " + report.operator_package + " is installed" +
         (version.empty() ? "" : ": version " + version) + "\n" +
         grants_for_people(*report.permissions) + missing_for_people(missing_after(report)) +
         setup_message(report) + "\n";
}

Result<void> set_up(const Invocation& invocation, SetupRequest request, SetupReport* report) {
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  ProgressLine bar(ProgressLine::Shown::if_terminal, Stream::err);
  request.on_progress = [&bar, name = request.apk](const adbproto::InstallProgress& at) {
    bar.show({name, at.done, at.total, at.done, at.total});
  };
  PingOptions options{invocation.globals.target, broadcast_action(invocation.globals)};
  auto task = resolve_and_set_up(std::move(options), std::move(request), report);
  return run_task(within(std::move(task), limit, "operator setup"));
}

Result<Answer> run_setup(const Invocation& invocation) {
  SetupRequest request;
  TRY(request.apk, apk_of(invocation));
  request.operator_package = operator_package(invocation.globals);
  request.accept_new_signer = invocation.arguments.has(kAcceptNewSigner.name);
  request.on_notice = invocation.globals.target.on_notice;
  SetupReport report;
  const auto done = set_up(invocation, std::move(request), &report);
  if (!report.warning.empty()) print_warning("[clawperator] WARN: " + report.warning);
  if (!done && report.begun) return std::unexpected(setup_error(done.error(), report));
  if (!done) return std::unexpected(done.error());
  return Answer{.json = to_json(report), .text = setup_for_people(report)};
}

constexpr Command setup_named(std::string_view name, std::string_view synonyms = {}) {
  return {.name = name,
          .synonyms = synonyms,
          .usage = "--apk <path>",
          .summary = "Install the Operator app and grant its permissions",
          .details = kDetails,
          .examples = kExamples,
          .options = kOperatorOptions,
          .run = run_setup};
}
constinit const Command kOperatorSetup = setup_named("operator setup", "install");

constexpr std::array<const Command*, 2> kOperatorSubcommands{&kOperatorSetup, &kOperatorDownload};

}  // namespace

constinit const Command kOperator = {
    .name = "operator",
    .usage = "setup|download",
    .summary = "Download and install the Operator app",
    .details =
        "clawperator operator download             fetches the app's package and verifies its "
        "checksum\n"
        "clawperator operator setup --apk <path>   installs it on a device and grants its "
        "permissions\n"
        "\n"
        "`operator install` remains a compatibility alias of `operator setup`.",
    .examples =
        "operator download\n"
        "operator setup --apk ~/.clawperator/downloads/operator.apk\n",
    .subcommands = kOperatorSubcommands};
constinit const Command kSetup = setup_named("setup");
constinit const Command kInstall = setup_named("install");

}  // namespace clawperator::cli
