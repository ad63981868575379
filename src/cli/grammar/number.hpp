#pragma once
// Numbers on the command line, read as the published contract reads them: JavaScript's Number().

#include <string_view>

namespace clawperator::cli {

// NaN for what is no number; an empty or blank text is 0.
double parse_number(std::string_view text);

}  // namespace clawperator::cli
