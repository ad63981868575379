#pragma once
// The environment variables that the program reads: help, the manual page and `help --json` print
// them. A new variable is a row here and the line that reads it.

#include "base/prelude.hpp"

namespace clawperator::cli {

struct EnvironmentVariable {
  std::string_view name;
  std::string_view help;  // one line
  // The variable decides how a device is found, reached and remembered, or where files go. A daemon
  // runs only commands of callers with the same value.
  bool is_shared_with_daemon = false;
};

std::span<const EnvironmentVariable> environment_table();

}  // namespace clawperator::cli
