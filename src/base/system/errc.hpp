#pragma once
// Errors of this computer: missing parts, and things that another process holds.

#include "base/errc.hpp"

namespace base {
namespace errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode host_dependency_missing{
    "HOST_DEPENDENCY_MISSING", 500, "A program of this computer that a step needs is not there."};
inline constexpr ErrorCode execution_conflict_in_flight{
    "EXECUTION_CONFLICT_IN_FLIGHT", 423,
    "Another execution holds this device. `details`: deviceId, and of the one that holds it "
    "commandId, holderPid, since (milliseconds since 1970)."};
// NOLINTEND(readability-identifier-naming)

}  // namespace errc

inline constexpr const ErrorCode* kSystemErrors[] = {&errc::host_dependency_missing,
                                                     &errc::execution_conflict_in_flight};

}  // namespace base
