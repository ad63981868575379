#pragma once
// Makes pictures smaller by averaging: every source pixel counts with the share of its area that
// falls into the target pixel. Exact in integers: a source pixel is `target width` units wide, a
// target pixel `source width` units, and so for the heights.

#include "runtime/image/frame.hpp"

namespace clawperator {

struct PictureSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  bool operator==(const PictureSize&) const = default;
};

// The largest size of the same shape with no side above `max_side`, never larger than `size`.
// Requires max_side >= 1.
PictureSize fit(PictureSize size, std::uint32_t max_side);

// Requires check_frame(frame) and a target that is not larger in either direction. Opaque frames
// give RGB.
Picture scale_down(const adbproto::RawFrame& frame, PictureSize target);

}  // namespace clawperator
