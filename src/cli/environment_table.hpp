#pragma once
// The environment variables that are read: what help, the manual page and `help --json` print. A
// new one is a row here and the line that reads it.

#include "base/prelude.hpp"

namespace clawperator::cli {

struct EnvironmentVariable {
  std::string_view name;
  std::string_view help;  // one line
  // Says how a device is found, reached and remembered, or where files go: a daemon runs only the
  // commands of callers for which it is the same.
  bool is_shared_with_daemon = false;
};

std::span<const EnvironmentVariable> environment_table();

}  // namespace clawperator::cli
