#include <unistd.h>

#include <algorithm>

#include "base/json_document.hpp"
#include "base/system/environment.hpp"
#include "base/system/output_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/doctor_text.hpp"
#include "cli/pretty/people.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/host/doctor/doctor.hpp"
#include "runtime/host/phone_report/answers.hpp"
#include "runtime/host/phone_report/query.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kDoctorOptions{
    Option{"--fix", "", Arity::none, "", "repair what can be repaired, then check it again"},
    Option{"--full", "", Arity::none, "",
           "also build, install and launch the app (in its checkout), and open Settings"},
    Option{"--check-only", "", Arity::none, "", "exit with 0 whatever was found"},
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

Task<PhoneReport> resolve_and_ask(TargetOptions target, ReportRequest request) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await query_phone(device.get(), std::move(request));
}

// The person sees what is in the file before it is there.
void show_contents(const PhoneReport& report, const std::string& path) {
  std::string text = "The report holds what the phone answered:\n";
  const auto readings = read_answers(report);
  for (const PhoneQuestion& question :
       phone_questions(report.operator_package, Consent::settings)) {
    const PhoneAnswer* answer = report.find(question.id);
    if (answer == nullptr) continue;
    text += "  " + std::string(question.id) + ": " + std::string(question.about);
    const auto at = std::ranges::find(readings, question.id, &Reading::name);
    if (at != readings.end()) text += " (" + at->value + ")";
    text += "\n";
  }
  text +=
      "and schemaVersion, program, settingsConsented, operatorPackage, route, maxServiceSize, "
      "features, readings.\nTaken out (redacted): serial numbers, names of users and of other "
      "apps, contents of the log.\nWriting it to " +
      path;
  print_warning(text);
}

Result<void> write_report(const Invocation& invocation, const std::string& package) {
  const std::string* path = invocation.arguments.value("--report");
  if (path == nullptr) return ok();
  ReportRequest request;
  request.operator_package = package;
  request.program = "clawperator " + std::string(kVersionText);
  if (invocation.arguments.has("--report-settings")) request.consent = Consent::settings;
  const auto report = run_task(resolve_and_ask(invocation.globals.target, std::move(request)));
  if (!report && report.error().code() == errc::cancelled) {
    return std::unexpected(report.error());
  }
  if (!report) {
    print_warning("[clawperator] WARN: no report was written: " + report.error().message());
    return ok();
  }
  show_contents(*report, *path);
  const std::string text = to_json(*report);
  return run_task(write_output(*path, text));
}

Result<Answer> run_doctor(const Invocation& invocation) {
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  if (const std::string* path = invocation.arguments.value("--report")) {
    if (path->empty()) return fail(errc::usage, "--report needs a file");
    TRY_VOID(check_path_length("--report", *path));
  } else if (invocation.arguments.has("--report-settings")) {
    return fail(errc::usage, "--report-settings needs --report <file>");
  }
  EventLog log(log_options(invocation.globals));
  Report report;
  const auto done =
      run_task(within(run_doctor(options_of(invocation, &log), &report), limit, "doctor"));
  if (!done) return std::unexpected(with_fixes(done.error(), report));
  TRY_VOID(write_report(invocation, report.operator_package));
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
    .usage = "[--fix] [--full] [--check-only] [--report <file>]",
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
        "which is deleted again.",
    .examples =
        "doctor\n"
        "doctor --output pretty\n"
        "doctor --fix --device emulator-5554\n"
        "doctor --json --check-only\n"
        "doctor --report phone.json\n",
    .options = kDoctorOptions,
    .run = run_doctor};

}  // namespace clawperator::cli
