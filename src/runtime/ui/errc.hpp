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
inline constexpr ErrorCode app_not_in_front{
    "APP_NOT_IN_FRONT", 409,
    "Another app is in front than the one that was shown to this client (MCP); nothing was done. "
    "`details` has `foreground`, `previous` and, where `previous` has just crashed, `crash`. "
    "Take a new snapshot, go back, or open the app again."};
inline constexpr ErrorCode effect_unchanged{
    "EFFECT_UNCHANGED", 409,
    "MCP `execute` with `stop_on: unchanged`: a step was done, and the screen is as before. `step` "
    "is its number; the later steps were not done."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kScreenErrors[] = {&errc::snapshot_extraction_failed,
                                                     &errc::stale_ref, &errc::app_not_in_front,
                                                     &errc::effect_unchanged};

}  // namespace clawperator
