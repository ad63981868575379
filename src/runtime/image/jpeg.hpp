#pragma once
// JPEG by TurboJPEG, 4:2:0. The common formats are read where they lie; alpha is ignored.

#include "runtime/image/frame.hpp"

namespace clawperator {

// Requires check_frame(frame). `quality` 1 to 100, else usage.
Result<Bytes> encode_jpeg(const adbproto::RawFrame& frame, int quality);

}  // namespace clawperator
