#pragma once
// From a captured frame to the bytes of an image file: scale, mark, encode, in that order.

#include "runtime/image/frame.hpp"
#include "runtime/image/marks.hpp"

namespace clawperator {

enum class ImageFormat : std::uint8_t { png, jpeg };

struct PictureOptions {
  ImageFormat format = ImageFormat::png;
  int quality = 80;                         // of a JPEG, 1 to 100
  std::optional<std::uint32_t> max_side{};  // scales down, never up
  std::vector<Mark> marks{};                // in device pixels, independent of max_side
};

// errc::usage for options out of range, screenshot_capture_failed for an invalid frame.
Result<Bytes> encode_picture(const adbproto::RawFrame& frame, const PictureOptions& options);

}  // namespace clawperator
