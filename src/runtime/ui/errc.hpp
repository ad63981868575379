#pragma once
// The errors of a tree of the screen, and of a ref into it.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode snapshot_extraction_failed{
    "SNAPSHOT_EXTRACTION_FAILED", 500,
    "The UI hierarchy did not arrive as whole XML. Mostly seen as a step's `data.error`."};
inline constexpr ErrorCode stale_ref{
    "STALE_REF", 409,
    "The node that the ref stands for is not there any more, or another phone has shown it; "
    "nothing was done. `details` has `ref`, `shownIn`, and `front` or `shownBy`. Take a new "
    "snapshot."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kScreenErrors[] = {&errc::snapshot_extraction_failed,
                                                     &errc::stale_ref};

}  // namespace clawperator
