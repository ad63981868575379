#pragma once
// The personal texts of a file, as faults of a report: literals, and the user's blocked terms. A
// fault's message never contains the text that was found.

#include "skills/privacy/terms.hpp"
#include "skills/report/report.hpp"

namespace clawperator::privacy {

// A NUL among the first 8 KiB, as git decides.
bool is_binary(std::string_view text);

// One line, without its line feed. `terms` may be null.
void scan_line(const std::string& file, std::size_t number, std::string_view line,
               const Terms* terms, report::Report* report);

// Counts the file; a binary one is counted as skipped and not read, unless the caller knows that it
// is a text.
enum class Binary { skipped, scanned };
void scan_text(const std::string& file, std::string_view text, const Terms* terms,
               report::Report* report, Binary binary = Binary::skipped);

}  // namespace clawperator::privacy
