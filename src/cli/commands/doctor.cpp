#include <unistd.h>

#include "base/json_document.hpp"
#include "base/system/environment.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/phone_report.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/doctor_text.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/host/doctor/doctor.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kDoctorOptions{
    Option{"--fix", "", Arity::none, "", "repair what can be repaired, then check again"},
    Option{"--full", "", Arity::none, "",
           "also build, install and launch the app (in its checkout), and open Settings"},
    Option{"--check-only", "", Arity::none, "", "exit with 0 in every case"},
    Option{"--conformance", "", Arity::none, "",
           "instead of the checks: compare the phone with docs/internals/android.md"},
    Option{"--report", "", Arity::one, "<file>",
           "also write the phone's answers to all our queries to a file, for an issue"},
    Option{"--report-settings", "", Arity::none, "",
           "let the report write, read and delete one setting of its own on the phone"},
};

// Colours only on a terminal, and only if the person wants them.
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
  } else if (!write_all(Stream::out, text)) {  // the text of an Answer would lose its colours
    answer.exit_code = 1;
  }
  return answer;
}

}  // namespace

constinit const Command kDoctor = {
    .name = "doctor",
    .usage = "[--fix] [--full] [--check-only] [--conformance] [--report <file>]",
    .summary = "Check everything from this computer to the Operator app",
    .details =
        "Checks the adb server, the adb key, USB, the device, the Operator app, its version and\n"
        "the device's settings. A round trip then proves that the app works. Each check that\n"
        "does not pass names the next step.\n"
        "--fix does the repairs that this computer can do, then checks again; `fixes` lists\n"
        "them. It may start an adb server, but never ends one; it creates a missing key,\n"
        "switches settings on, and grants the app's permissions.\n"
        "--full builds the app with Gradle inside a Clawperator Android checkout; elsewhere it\n"
        "skips these steps. --verbose also lists the passed checks for people. --timeout limits\n"
        "all checks together. Ends with 0 when no critical check failed.\n"
        "--report writes the phone's answers to all queries of this program. Serial numbers,\n"
        "names and the log's contents are removed, and stderr lists the contents before the file\n"
        "is written. --report-settings allows the report one setting of its own, which it\n"
        "deletes again.\n"
        "--conformance sends the same queries and compares the answers with the statements of\n"
        "docs/internals/android.md: each holds, differs, is open, or is about another release.\n"
        "It ends with 1 when one differs.",
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
