#pragma once
// The one thing a verb acts on, given as first positional or by a flag, never by both.

#include <optional>
#include <string>
#include <string_view>

#include "adbproto/base/error.hpp"
#include "cli/arguments.hpp"

namespace clawperator::cli {

// nullopt when neither is given. Both: EXECUTION_VALIDATION_FAILED with `both_message`.
adbproto::Result<std::optional<std::string>> positional_or(const Arguments& arguments,
                                                           std::string_view flag,
                                                           std::string_view both_message);

// MISSING_ARGUMENT with the command's usage below the message.
std::unexpected<adbproto::Error> missing_argument(std::string message, std::string_view usage);

bool is_blank(std::string_view text);

}  // namespace clawperator::cli
