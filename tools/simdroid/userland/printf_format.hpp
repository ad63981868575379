#pragma once
// The pure parts of the builtins echo, printf and test.

#include <string>
#include <string_view>
#include <vector>

#include "simdroid/userland/process.hpp"

namespace simdroid {

// \n \t \r \a \b \f \v \e \\ \0nnn \xHH
std::string expand_escapes(std::string_view text);

// %s %b %c %d %i %u %x %X %o %% with flags, width and precision; the format is used again while
// arguments are left.
Result<std::string> format_printf(std::string_view format, const std::vector<std::string>& args);

// The arguments between `[` and `]`.
Result<bool> evaluate_test(const std::vector<std::string>& args, const Process& process);

}  // namespace simdroid
