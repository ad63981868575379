#pragma once
// What commands check of their arguments beyond the grammar, and how they refuse them.

#include "base/error.hpp"
#include "cli/grammar/arguments.hpp"

namespace clawperator::cli {

// EXECUTION_VALIDATION_FAILED when one spelling of the option stands there twice.
Result<void> check_given_once(const Arguments& arguments, std::string_view flag);

// nullopt when neither is given. Both: EXECUTION_VALIDATION_FAILED with `both_message`;
// so is a flag that is given twice.
Result<std::optional<std::string>> positional_or(const Arguments& arguments, std::string_view flag,
                                                 std::string_view both_message);

// nullopt without the flag. `code` for what is no whole number from `low` to `high`.
Result<std::optional<int>> whole_option(const Arguments& arguments, std::string_view flag, int low,
                                        int high, Errc code = errc::usage);

// The first positional, where it is a package's name. MISSING_ARGUMENT with `usage`, else
// EXECUTION_VALIDATION_FAILED.
Result<std::string> package_argument(const Arguments& arguments, std::string_view usage);

// EXECUTION_VALIDATION_FAILED.
std::unexpected<Error> validation_error(std::string message);

// MISSING_ARGUMENT with the command's usage below the message.
std::unexpected<Error> missing_argument(std::string message, std::string_view usage);

}  // namespace clawperator::cli
