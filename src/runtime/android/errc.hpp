#pragma once
// The errors of answers by a phone's own programs.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode logcat_unavailable{
    "LOGCAT_UNAVAILABLE", 500,
    "The device's log stream could not be opened, or ended before it held anything. "
    "`details.dispatchAttempted` says whether the command went out."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kAndroidErrors[] = {&errc::logcat_unavailable};

}  // namespace clawperator
