#pragma once
// Why a server of ours does not start.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode serve_failed{
    "SERVE_FAILED", 500,
    "The server cannot start: it cannot listen at its address, or may not write to the folder "
    "of `--files`; the message has the reason."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kServerErrors[] = {&errc::serve_failed};

}  // namespace clawperator
