#pragma once
// Checks of arguments beyond the grammar, and their errors.

#include "base/error.hpp"
#include "cli/grammar/arguments.hpp"

namespace clawperator::cli {

// EXECUTION_VALIDATION_FAILED when one spelling of the option occurs twice.
Result<void> check_given_once(const Arguments& arguments, std::string_view flag);

// nullopt when neither is given. Both: EXECUTION_VALIDATION_FAILED with `both_message`. A flag that
// is given twice fails, too.
Result<std::optional<std::string>> positional_or(const Arguments& arguments, std::string_view flag,
                                                 std::string_view both_message);

// nullopt without the flag. Fails with `code` for anything but a whole number from `low` to `high`.
Result<std::optional<int>> whole_option(const Arguments& arguments, std::string_view flag, int low,
                                        int high, Errc code = errc::usage);

// The first positional, which must be a package name. MISSING_ARGUMENT with `usage`, else
// EXECUTION_VALIDATION_FAILED.
Result<std::string> package_argument(const Arguments& arguments, std::string_view usage);

// An EXECUTION_VALIDATION_FAILED error.
std::unexpected<Error> validation_error(std::string message);

// A MISSING_ARGUMENT error with the command's usage below the message.
std::unexpected<Error> missing_argument(std::string message, std::string_view usage);

}  // namespace clawperator::cli
