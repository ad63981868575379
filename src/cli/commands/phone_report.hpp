#pragma once
// What a phone answers to all of our questions, for doctor: `--report FILE` and `--conformance`.

#include "cli/grammar/command.hpp"
#include "cli/limited_task.hpp"

namespace clawperator::cli {

Result<void> check_report_flags(const Invocation& invocation);

// Where `--report` names a file. A phone that cannot be reached is a warning.
Result<void> query_and_write_report(const Invocation& invocation, const std::string& package);

Result<Answer> run_conformance(const Invocation& invocation, TimeLimit limit);

}  // namespace clawperator::cli
