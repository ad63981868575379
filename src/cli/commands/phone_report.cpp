#include "cli/commands/phone_report.hpp"

#include <algorithm>

#include "base/json_document.hpp"
#include "base/system/output_file.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/host/phone_report/facts.hpp"
#include "runtime/host/phone_report/query.hpp"

namespace clawperator::cli {
namespace {

Task<PhoneReport> resolve_and_query(TargetOptions target, ReportRequest request) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await query_phone(device.get(), std::move(request));
}

ReportRequest report_request(const Invocation& invocation, const std::string& package) {
  ReportRequest request;
  request.operator_package = package;
  request.program = "clawperator " + std::string(kVersionText);
  if (invocation.arguments.has("--report-settings")) request.consent = Consent::settings;
  return request;
}

// Shows the report's contents before the file is written.
void show_contents(const PhoneReport& report, const std::string& path) {
  std::string text = "The report contains the phone's answers:\n";
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
      "features, readings, facts.\nRemoved (redacted): serial numbers, names of users and of "
      "other apps, contents of the log.\nWriting it to " +
      path;
  print_warning(text);
}

Result<void> write_report(const std::string& path, const PhoneReport& report) {
  show_contents(report, path);
  const std::string text = to_json(report);
  return run_task(write_output(path, text));
}

// What differs comes first; what is about other releases is counted alone.
std::string conformance_for_people(const PhoneReport& report) {
  const auto findings = judge_facts(report);
  std::vector<std::vector<std::string>> rows;
  std::string counts;
  for (const Verdict verdict :
       {Verdict::differs, Verdict::open, Verdict::holds, Verdict::other_release}) {
    const std::string name(verdict_name(verdict));
    counts += (counts.empty() ? "" : ", ") + name + ": " +
              std::to_string(std::ranges::count(findings, verdict, &Finding::verdict));
    for (const Finding& finding : findings) {
      if (finding.verdict != verdict || verdict == Verdict::other_release) continue;
      const std::string saw = finding.saw.empty() ? "" : "(" + printable_name(finding.saw) + ")";
      rows.push_back({name, std::string(finding.id), std::string(finding.statement), saw});
    }
  }
  return table(rows) + counts + "\n";
}

}  // namespace

Result<void> check_report_flags(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const bool conforms = arguments.has("--conformance");
  if (conforms && (arguments.has("--fix") || arguments.has("--full"))) {
    return fail(errc::usage, "--conformance changes nothing; use --fix and --full without it");
  }
  const std::string* path = arguments.value("--report");
  if (path == nullptr) {
    if (!arguments.has("--report-settings")) return ok();
    return fail(errc::usage, "--report-settings needs --report <file>");
  }
  if (path->empty()) return fail(errc::usage, "--report needs a file");
  return check_path_length("--report", *path);
}

Result<void> query_and_write_report(const Invocation& invocation, const std::string& package) {
  const std::string* path = invocation.arguments.value("--report");
  if (path == nullptr) return ok();
  const auto report =
      run_task(resolve_and_query(invocation.globals.target, report_request(invocation, package)));
  if (report) return write_report(*path, *report);
  if (report.error().code() == errc::cancelled) return std::unexpected(report.error());
  print_warning("[clawperator] WARN: no report was written: " + report.error().message());
  return ok();
}

Result<Answer> run_conformance(const Invocation& invocation, TimeLimit limit) {
  const std::string package =
      operator_package(invocation.globals).value_or(std::string(kReleaseOperatorPackage));
  TRY(const PhoneReport report,
      run_task(
          within(resolve_and_query(invocation.globals.target, report_request(invocation, package)),
                 limit, "doctor")));
  if (const std::string* path = invocation.arguments.value("--report")) {
    TRY_VOID(write_report(*path, report));
  }
  Answer answer;
  const bool good =
      is_as_described(judge_facts(report)) || invocation.arguments.has("--check-only");
  answer.exit_code = good ? 0 : 1;
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = conformance_for_people(report);
    return answer;
  }
  answer.json = conformance_json(report);
  if (invocation.globals.output == OutputMode::json) answer.json = indent_json(answer.json);
  return answer;
}

}  // namespace clawperator::cli
