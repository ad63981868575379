#pragma once
// What the commands share that report faults of files, and search for personal texts.

#include "cli/grammar/command.hpp"
#include "skills/phone/terms_file.hpp"
#include "skills/report/report.hpp"

namespace clawperator::cli {

inline constexpr Option kReportFormat{
    "--format", "", Arity::one, "<format>", "json, or sarif for a CI", "json sarif"};
inline constexpr Option kTermsFile{"--terms-file", "", Arity::one, "<file>",
                                   "terms, instead of ~/.clawperator/blocked-terms.txt"};

// The blocked terms; a warning on stderr where there are none.
Result<phone_skills::TermsFile> terms_of(const Arguments& arguments);

// Exit code 1 if there is a fault. A terminal shows the texts that were found.
Answer report_answer(const Invocation& invocation, const report::Report& report, ErrorList rules);

}  // namespace clawperator::cli
