#pragma once
// Every code that a command may print, room by room: docs/reference/errors.md, the manual page and
// `describe` are made of it.

#include "base/errc.hpp"

namespace clawperator::cli {

std::vector<const ErrorCode*> all_errors();

}  // namespace clawperator::cli
