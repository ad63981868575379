#pragma once
// PNG by libspng, tuned for screens: RGB when nothing shows through, level 1, one fixed filter.
// The rows are converted and compressed one by one.

#include "runtime/image/frame.hpp"

namespace clawperator {

// An 8K screen's 33.2 million fit; as RGBA they take 128 MiB.
inline constexpr std::size_t kMaxDecodedPixels = std::size_t{32} << 20;

// Requires check_frame(frame).
Result<Bytes> encode_png(const adbproto::RawFrame& frame);

// RGBA where the file has any alpha, else RGB. screenshot_capture_failed for a broken file or one
// of more than kMaxDecodedPixels.
Result<Picture> decode_png(ByteView png);

// Whether every pixel is black; reads no further than the first other one. False for a file that is
// no PNG, and for an interlaced one.
bool is_black_png(ByteView png);

}  // namespace clawperator
