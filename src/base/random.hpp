#pragma once
// Names and tokens that cannot be guessed.

#include "base/error.hpp"

namespace base {

// This many random bytes from the system, as two lower-case hex digits each. io.
Result<std::string> random_hex(std::size_t bytes);

}  // namespace base
