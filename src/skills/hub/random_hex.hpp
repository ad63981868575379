#pragma once

#include <string>

#include "base/error.hpp"

namespace clawperator::hub {

// So many bytes that nobody guesses, as two lower-case digits each. io.
Result<std::string> random_hex(std::size_t bytes);

}  // namespace clawperator::hub
