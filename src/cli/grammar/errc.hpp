#pragma once
// Errors of a command line, beside errc::usage.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode missing_argument{"MISSING_ARGUMENT", 400,
                                            "A required argument is missing."};
inline constexpr ErrorCode missing_selector{"MISSING_SELECTOR", 400,
                                            "The command needs a selector that names the node."};
inline constexpr ErrorCode unknown_command{"UNKNOWN_COMMAND", 404,
                                           "No such command. `suggestion` names the nearest one."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kCommandLineErrors[] = {
    &errc::missing_argument, &errc::missing_selector, &errc::unknown_command};

}  // namespace clawperator
