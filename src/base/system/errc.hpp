#pragma once
// Errors of this computer: missing parts, and resources that another process holds.

#include "base/errc.hpp"

namespace base {
namespace errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode host_dependency_missing{
    "HOST_DEPENDENCY_MISSING", 500,
    "A program that a step needs is not installed on this computer."};
inline constexpr ErrorCode execution_conflict_in_flight{
    "EXECUTION_CONFLICT_IN_FLIGHT", 423,
    "Another execution holds this device, or another process holds this folder or file. `details` "
    "of a device: deviceId, and commandId, holderPid and since (milliseconds since 1970) of the "
    "holder."};
// NOLINTEND(readability-identifier-naming)

}  // namespace errc

inline constexpr const ErrorCode* kSystemErrors[] = {&errc::host_dependency_missing,
                                                     &errc::execution_conflict_in_flight};

}  // namespace base
