#pragma once
// The environment variables that are read, as data: help, the man page and `help --json` show them.

#include <span>
#include <string_view>

namespace clawperator::cli {

struct EnvironmentVariable {
  std::string_view name;
  std::string_view help;  // one line
};

std::span<const EnvironmentVariable> environment_table();

}  // namespace clawperator::cli
