#pragma once
// Every code that a command may print, by folder. docs/reference/errors.md, the manual page and
// `describe` are generated from it.

#include "base/errc.hpp"

namespace clawperator::cli {

std::vector<const ErrorCode*> all_errors();

}  // namespace clawperator::cli
