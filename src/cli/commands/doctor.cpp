#include <unistd.h>

#include "base/json_document.hpp"
#include "base/system/environment.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/phone_report.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/doctor_text.hpp"
#include "cli/pretty/people.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/host/doctor/doctor.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kDoctorOptions{
    Option{"--fix", "", Arity::none, "", "repair what can be repaired, then check it again"},
    Option{"--full", "", Arity::none, "",
           "also build, install and launch the app (in its checkout), and open Settings"},
    Option{"--check-only", "", Arity::none, "", "exit with 0 whatever was found"},
    Option{"--conformance", "", Arity::none, "",
           "in place of the checks: is the phone as docs/android.md says, statement by statement"},
    Option{"--report", "", Arity::one, "<file>",
           "also write what the phone answers to every question of ours, for an issue"},
    Option{"--report-settings", "", Arity::none, "",
           "the report may write, read and delete one setting of its own on the phone"},
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
  if (invocation.arguments.has("--full")) options.scope = DoctorScope::full_check;
  std::error_code gone;
  options.folder = std::filesystem::current_path(gone);
  options.log = log;
  return options;
}

Result<Answer> run_doctor(const Invocation& invocation) {
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  TRY_VOID(check_report_flags(invocation));
  if (invocation.arguments.has("--conformance")) return run_conformance(invocation, limit);
  EventLog log(log_options(invocation.globals));
  Report report;
  const auto done =
      run_task(within(run_doctor(options_of(invocation, &log), &report), limit, "doctor"));
  if (!done) return std::unexpected(with_fixes(done.error(), report));
  TRY_VOID(query_and_write_report(invocation, report.operator_package));
  Answer answer;
  answer.exit_code = critical_ok(report) || invocation.arguments.has("--check-only") ? 0 : 1;
  if (invocation.globals.output != OutputMode::pretty) {
    answer.json = to_json(report);
    if (invocation.globals.output == OutputMode::json) answer.json = indent_json(answer.json);
    return answer;
  }
  const Colour colour = colour_of_terminal();
  const ShownChecks detail =
      invocation.globals.verbose ? ShownChecks::everything : ShownChecks::needed;
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
    .name = "doctor",
    .usage = "[--fix] [--full] [--check-only] [--conformance] [--report <file>]",
    .summary = "Check everything from this computer to the Operator app's answer",
    .details =
        "Checks the adb server, the adb key, USB, the device, the Operator app, its version, the\n"
        "device's settings, and proves by a round trip that the app works. Each check that does "
        "not\npass says what to do. --fix does what can be done from here (it may start an adb "
        "server, never\nends one; makes a missing key; switches settings on; grants the app's "
        "permissions) and checks\nagain: see `fixes`. --full builds the app with Gradle inside a "
        "Clawperator Android checkout,\nelsewhere those steps are skipped. --verbose lists what "
        "passed, too, for people.\nEnds with 0 when no critical check failed. --timeout is for all "
        "of the checks.\n--report writes what the phone answers to every question that we ask "
        "phones: serial numbers,\nnames and the log's contents are taken out, and stderr shows "
        "what is in it before it is\nwritten. --report-settings allows it one setting of its own, "
        "which is deleted again.\n"
        "--conformance asks the same and judges the statements of docs/android.md by the answers: "
        "each\nholds, differs, is open, or is about another release. Ends with 1 when one differs.",
    .examples =
        "doctor\n"
        "doctor --output pretty\n"
        "doctor --fix --device emulator-5554\n"
        "doctor --json --check-only\n"
        "doctor --report phone.json\n"
        "doctor --conformance --output pretty\n",
    .options = kDoctorOptions,
    .run = run_doctor};

}  // namespace clawperator::cli
