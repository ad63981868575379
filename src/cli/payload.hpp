#pragma once
// Where `exec` finds its execution: inline JSON, a file, or `-` for stdin.

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace clawperator::cli {

// `{...}` is inline; `[...]` is a file of that name, inline if there is none; `-` is stdin;
// everything else is a file, whose text is known to be JSON (its faults name the file).
Result<std::string> read_payload(std::string_view source);

}  // namespace clawperator::cli
