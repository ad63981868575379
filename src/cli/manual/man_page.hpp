#pragma once
// clawperator.1, made from the command, option, environment and error tables: roff with the man
// macros, as `man` and mandoc read it.

#include <string>
#include <string_view>

namespace clawperator::cli {

std::string man_page();

// Text that roff prints as it is: `-`, `\`, quotes, and lines that begin with a dot.
std::string roff_escaped(std::string_view text);

}  // namespace clawperator::cli
