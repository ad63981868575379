#include <unistd.h>

#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/doctor_text.hpp"
#include "cli/output.hpp"
#include "cli/people.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/device/environment.hpp"
#include "runtime/host/doctor/doctor.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Result;

constexpr std::array kOptions{
    Option{"--fix", "", Arity::none, "", "repair what can be repaired, then check it again"},
    Option{"--full", "", Arity::none, "",
           "also build, install and launch the app (in its checkout), and open Settings"},
    Option{"--check-only", "", Arity::none, "", "exit with 0 whatever was found"},
};

// Where it is watched by a person who wants it.
Colour colour_of_terminal() {
  const bool wanted =
      !environment_variable("NO_COLOR") && environment_variable("TERM").value_or("dumb") != "dumb";
  return wanted && ::isatty(STDOUT_FILENO) == 1 ? Colour::ansi : Colour::none;
}

DoctorOptions options_of(const Invocation& invocation, EventLog* log) {
  DoctorOptions options;
  options.target = invocation.globals.target;
  options.operator_package = operator_package(invocation.globals);
  options.broadcast_action = broadcast_action(invocation.globals);
  options.versions = {std::string(kVersionText), std::string(kApkCompatText)};
  if (invocation.arguments.has("--fix")) options.repairing = Repairing::yes;
  if (invocation.arguments.has("--full")) options.scope = Scope::full_check;
  std::error_code gone;
  options.folder = std::filesystem::current_path(gone);
  options.log = log;
  return options;
}

Result<Answer> run(const Invocation& invocation) {
  TRY(const ChoreLimit limit, chore_limit(invocation.globals));
  EventLog log(log_options(invocation.globals));
  Report report;
  const auto done =
      run_task(within(run_doctor(options_of(invocation, &log), &report), limit, "doctor"));
  if (!done) return std::unexpected(with_fixes(done.error(), report));
  Answer answer;
  answer.exit_code = critical_ok(report) || invocation.arguments.has("--check-only") ? 0 : 1;
  if (invocation.globals.output == OutputMode::json) {
    answer.json = indent_json(to_json(report));  // always indented, as published
    return answer;
  }
  const Colour colour = colour_of_terminal();
  const Detail detail = invocation.globals.verbose ? Detail::everything : Detail::needed;
  std::string text = doctor_for_people(report, colour, detail);
  if (colour == Colour::none) {
    answer.text = std::move(text);
  } else if (!write_all(Stream::out, text)) {  // an answer's text would lose its colours
    answer.exit_code = 1;
  }
  return answer;
}

}  // namespace

constinit const Command kDoctor = {
    "doctor",
    "",
    "[--fix] [--full] [--check-only]",
    "Check everything from this computer to the Operator app's answer",
    "Checks the adb server, the adb key, USB, the device, the Operator app, its version, the\n"
    "device's settings, and proves by a round trip that the app works. Each check that does not\n"
    "pass says what to do. --fix does what can be done from here (it may start an adb server, "
    "never\n"
    "ends one; makes a missing key; switches settings on; grants the app's permissions) and "
    "checks\n"
    "again: see `fixes`. --full builds the app with Gradle inside a Clawperator Android checkout,\n"
    "elsewhere those steps are skipped. --verbose lists what passed, too, for people.\n"
    "Ends with 0 when no critical check failed. --timeout is for all of it.",
    "doctor\n"
    "doctor --output pretty\n"
    "doctor --fix --device emulator-5554\n"
    "doctor --json --check-only\n",
    Reach::device,
    kOptions,
    run};

}  // namespace clawperator::cli
