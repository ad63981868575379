#pragma once
// What this computer lacks.

#include "base/errc.hpp"

namespace base {
namespace errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode host_dependency_missing{
    "HOST_DEPENDENCY_MISSING", 500, "A program of this computer that a step needs is not there."};
// NOLINTEND(readability-identifier-naming)

}  // namespace errc

inline constexpr const ErrorCode* kSystemErrors[] = {&errc::host_dependency_missing};

}  // namespace base
