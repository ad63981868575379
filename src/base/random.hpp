#pragma once
// Names and tokens that are not to be guessed.

#include "base/error.hpp"

namespace base {

// So many random bytes of the system, as two lower-case digits each. io.
Result<std::string> random_hex(std::size_t bytes);

}  // namespace base
