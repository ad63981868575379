#pragma once
// Numbers in arguments.

#include "base/prelude.hpp"

namespace clawperator::cli {

// Numbers are read as the published contract reads them, JavaScript's Number(): NaN for what is no
// number; an empty or blank text is 0.
double parse_number(std::string_view text);

}  // namespace clawperator::cli
