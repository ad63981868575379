#pragma once
// The errors of pictures.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode screenshot_capture_failed{
    "SCREENSHOT_CAPTURE_FAILED", 500,
    "The captured picture is not a whole image. Mostly seen as a step's `data.error`."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kPictureErrors[] = {&errc::screenshot_capture_failed};

}  // namespace clawperator
