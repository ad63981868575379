#pragma once
// Numbers in arguments.

#include "base/prelude.hpp"

namespace clawperator::cli {

// Reads a number like the published contract, JavaScript's Number(): NaN for other texts; an empty
// or blank text is 0.
double parse_number(std::string_view text);

}  // namespace clawperator::cli
