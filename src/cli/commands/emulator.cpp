
#include "base/js_string.hpp"
#include "base/system/environment.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/emulator/provision.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kNameOption{
    Option{"--name", "", Arity::one, "<name>", "default clawperator-pixel"},
};

constexpr auto kCreateOptions = join(
    kNameOption, std::array{Option{"--force", "", Arity::none, "",
                                   "replace the virtual device of that name, with all its data"}});

Result<EmulatorHost> host_of(const Invocation& invocation) {
  EmulatorHost host{.target = emulators_only(invocation.globals.target), .avds = avd_folder()};
  host.logs = log_options(invocation.globals).folder;
  if (host.logs.empty()) host.logs = temp_folder();
  TRY(host.start_limit, time_limit(invocation.globals));
  if (invocation.globals.output == OutputMode::pretty) {
    host.on_progress = [](std::string line) { print_warning(line); };
  }
  return host;
}

// The positional argument; USAGE `emulator inspect <name>` without it.
Result<std::string> name_of(const Invocation& invocation) {
  const auto& positionals = invocation.arguments.positionals();
  if (positionals.empty() || is_blank(positionals.front())) {
    return fail(errc::usage, std::string(invocation.command->name) + " <name>");
  }
  TRY_VOID(check_avd_name(positionals.front()));
  return positionals.front();
}

Result<std::string> name_option(const Invocation& invocation) {
  const std::string* name = invocation.arguments.value("--name");
  if (!name) return default_profile(this_host()).name;
  TRY_VOID(check_avd_name(*name));
  return *name;
}

template <class T>
Result<T> run_and_wait(const Invocation& invocation, Task<T> task) {
  return run_limited(invocation.globals, std::move(task), std::string(invocation.command->name));
}

// The files list the running emulators, too, even without an adb server.
Result<std::vector<RunningEmulator>> known_to_run(const Invocation& invocation,
                                                  const EmulatorHost& host) {
  auto running = run_and_wait(invocation, running_emulators(host.target));
  if (running || running.error().code() != errc::adb_server_failed) return running;
  print_warning("[clawperator] WARN: cannot list the running emulators: " +
                running.error().message());
  return std::vector<RunningEmulator>{};
}

Result<Answer> run_list(const Invocation& invocation) {
  TRY(const EmulatorHost host, host_of(invocation));
  auto avds = list_avds(host.avds, host.arch);
  TRY(const auto running, known_to_run(invocation, host));
  std::string json = avds_json(&avds, running);
  return Answer{.json = std::move(json), .text = avds_for_people(avds)};
}

Result<Answer> run_inspect(const Invocation& invocation) {
  TRY(const std::string name, name_of(invocation));
  TRY(const EmulatorHost host, host_of(invocation));
  Avd avd = read_avd(host.avds, name, host.arch);
  TRY(const auto running, known_to_run(invocation, host));
  avd.running = find_by_name(running, name) != nullptr;
  return Answer{.json = to_json(avd), .text = avds_for_people({avd})};
}

Result<Answer> run_create(const Invocation& invocation) {
  TRY(const std::string name, name_option(invocation));
  TRY(const EmulatorHost host, host_of(invocation));
  AvdProfile profile = default_profile(host.arch);
  profile.name = name;
  const auto existing = invocation.arguments.has("--force") ? Existing::replaced : Existing::kept;
  TRY(const Avd avd, run_and_wait(invocation, create_emulator(host, profile, existing)));
  return Answer{.json = to_json(avd), .text = avds_for_people({avd})};
}

Result<Answer> run_emulator_start(const Invocation& invocation) {
  TRY(const std::string name, name_of(invocation));
  TRY(const EmulatorHost host, host_of(invocation));
  TRY(const auto emulator, run_task(start_emulator(host, name)));
  return Answer{.json = started_json(emulator, name),
                .text = name + " has booted as " + emulator.row.serial + "\n"};
}

Result<Answer> run_emulator_stop(const Invocation& invocation) {
  TRY(const std::string name, name_of(invocation));
  TRY(const EmulatorHost host, host_of(invocation));
  TRY(const auto emulator, run_and_wait(invocation, stop_emulator(host, name)));
  return Answer{.json = stopped_json(emulator, name), .text = name + " has stopped\n"};
}

Result<Answer> run_delete(const Invocation& invocation) {
  TRY(const std::string name, name_of(invocation));
  TRY(const EmulatorHost host, host_of(invocation));
  TRY_VOID(run_and_wait(invocation, delete_emulator(host, name)));
  return Answer{.json = deleted_json(name), .text = name + " is deleted\n"};
}

Result<Answer> run_emulator_status(const Invocation& invocation) {
  TRY(const EmulatorHost host, host_of(invocation));
  TRY(const auto running, run_and_wait(invocation, running_emulators(host.target)));
  return Answer{.json = running_json(host, running), .text = running_for_people(running)};
}

Result<Answer> run_provision(const Invocation& invocation) {
  TRY(const std::string name, name_option(invocation));
  TRY(const EmulatorHost host, host_of(invocation));
  TRY(const Provisioned done, run_task(provision_emulator(host, name)));
  return Answer{.json = provisioned_json(done), .text = provisioned_for_people(done)};
}

constexpr std::string_view kProvisionDetails =
    "Reuses a running emulator that fits; else starts a virtual device that fits, first the one\n"
    "of --name, then by name; else creates one. Then it switches developer options and USB\n"
    "debugging on. If the device of that name does not fit, the error is EMULATOR_UNSUPPORTED.\n"
    "--timeout (up to an hour) is for registering and booting.";
constexpr std::string_view kFits =
    "A virtual device fits with Android 35 and the Play Store on a pixel_7, for arm64-v8a, and on\n"
    "x86_64 hosts for x86_64.";

constinit const Command kList = {
    .name = "emulator list",
    .synonyms = "ls",
    .summary = "List the virtual devices of this user",
    .details =
        "Reads ANDROID_AVD_HOME, ANDROID_USER_HOME/avd, ANDROID_SDK_HOME/.android/avd or\n"
        "~/.android/avd; the Android SDK is not needed.",
    .examples = "emulator list\nemulator list --output pretty\n",
    .reach = Reach::host,
    .run = run_list};
constinit const Command kInspect = {
    .name = "emulator inspect",
    .synonyms = "show",
    .usage = "<name>",
    .summary = "Describe a virtual device and check whether it fits",
    .details = kFits,
    .examples = "emulator inspect clawperator-pixel\n",
    .reach = Reach::host,
    .run = run_inspect,
    .most_words = 1};
constinit const Command kCreate = {
    .name = "emulator create",
    .usage = "[--name <name>] [--force]",
    .summary = "Create a virtual device that fits",
    .details =
        "Accepts the SDK's licences, and installs the system image (more than 1 GB) if needed. A\n"
        "device of the same name is EMULATOR_ALREADY_EXISTS; --force replaces it. Needs\n"
        "sdkmanager and avdmanager (SDKMANAGER_PATH, AVDMANAGER_PATH, ANDROID_HOME,\n"
        "ANDROID_SDK_ROOT or PATH).",
    .examples = "emulator create\nemulator create --name work-pixel\n",
    .reach = Reach::host,
    .options = kCreateOptions,
    .run = run_create};
constinit const Command kEmulatorStart = {
    .name = "emulator start",
    .usage = "<name>",
    .summary = "Start a virtual device and wait until it has booted",
    .details =
        "The emulator continues after this command, also after Ctrl-C. Its output goes to\n"
        "~/.clawperator/logs/emulator-<name>-<time>.log (CLAWPERATOR_LOG_DIR). The limits are 60\n"
        "s for registering with the adb server and 180 s for booting; --timeout (up to an hour)\n"
        "is for both.",
    .examples =
        "emulator start clawperator-pixel\nemulator start clawperator-pixel --timeout 300000\n",
    .reach = Reach::host,
    .run = run_emulator_start,
    .most_words = 1};
constinit const Command kEmulatorStop = {
    .name = "emulator stop",
    .usage = "<name>",
    .summary = "Stop an emulator and wait until it is gone",
    .details = "An emulator that does not report its name is given by its serial.",
    .examples = "emulator stop clawperator-pixel\nemulator stop emulator-5554\n",
    .reach = Reach::host,
    .run = run_emulator_stop,
    .most_words = 1};
constinit const Command kDelete = {.name = "emulator delete",
                                   .usage = "<name>",
                                   .summary = "Delete a virtual device that does not run",
                                   .examples = "emulator delete clawperator-pixel\n",
                                   .reach = Reach::host,
                                   .run = run_delete,
                                   .most_words = 1};
constinit const Command kEmulatorStatus = {
    .name = "emulator status",
    .summary = "List the emulators that run",
    .examples = "emulator status\nemulator status --output pretty\n",
    .reach = Reach::host,
    .run = run_emulator_status};
constexpr Command provision_command(std::string_view name, std::string_view examples) {
  return {.name = name,
          .usage = "[--name <name>]",
          .summary = "Get an emulator that fits: reuse, start or create one",
          .details = kProvisionDetails,
          .examples = examples,
          .reach = Reach::host,
          .options = kNameOption,
          .run = run_provision};
}
constinit const Command kEmulatorProvision =
    provision_command("emulator provision", "emulator provision\n");
constinit const Command kProvisionEmulator =
    provision_command("provision emulator", "provision emulator\n");

constexpr std::array<const Command*, 8> kEmulatorCommands{
    &kList,         &kInspect, &kCreate,         &kEmulatorStart,
    &kEmulatorStop, &kDelete,  &kEmulatorStatus, &kEmulatorProvision};
constexpr std::array<const Command*, 1> kProvisionCommands{&kProvisionEmulator};

}  // namespace

constinit const Command kEmulator = {
    .name = "emulator",
    .usage = "list|inspect|create|start|stop|delete|status|provision",
    .summary = "List, create, start and stop virtual devices",
    .details = kFits,
    .examples =
        "emulator list\nemulator start clawperator-pixel\nemulator stop clawperator-pixel\n",
    .reach = Reach::host,
    .subcommands = kEmulatorCommands};
constinit const Command kProvision = {.name = "provision",
                                      .usage = "emulator",
                                      .summary = "Get a device to work with",
                                      .details = kProvisionDetails,
                                      .examples = "provision emulator\n",
                                      .reach = Reach::host,
                                      .subcommands = kProvisionCommands};

}  // namespace clawperator::cli
