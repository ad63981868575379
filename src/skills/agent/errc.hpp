#pragma once
// Why an archive is refused.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode archive_refused{
    "ARCHIVE_REFUSED", 400,
    "An archive is damaged, too large, leads out of its folder or has a `.git`; nothing was "
    "unpacked."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kArchiveErrors[] = {&errc::archive_refused};

}  // namespace clawperator
