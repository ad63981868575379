#include "cli/commands/report_answer.hpp"

#include <unistd.h>

#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"

namespace clawperator::cli {

Result<phone_skills::TermsFile> terms_of(const Arguments& arguments) {
  std::optional<std::string> given;
  if (const std::string* file = arguments.value("--terms-file")) given = expand_home(*file);
  auto terms = phone_skills::read_terms_file(given ? &*given : nullptr);
  if (terms && !terms->warning.empty()) print_warning("[clawperator] WARN: " + terms->warning);
  return terms;
}

Answer report_answer(const Invocation& invocation, const report::Report& report, ErrorList rules) {
  Answer answer{.exit_code = report.faults.empty() ? 0 : 1};
  if (invocation.arguments.value_or("--format", "json") == "sarif") {
    answer.json = report::to_sarif(report, rules, kVersionText);
  } else {
    const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
    answer.json = report::to_json(report);
    answer.text = printable(
        report::to_text(report, is_terminal ? report::Found::shown : report::Found::hidden));
  }
  return answer;
}

}  // namespace clawperator::cli
