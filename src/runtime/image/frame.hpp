#pragma once
// Frames as 8-bit pixels: whatever screencap wrote is read row by row as RGB or RGBA, so that a
// 10 MB capture need not be copied to be encoded.
//
//   RawFrame (a view, any PixelFormat) --convert_row--> one row --encode_*--> file bytes
//   Picture  (owned, RGB or RGBA)      --frame()------> RawFrame

#include "adbproto/wire/screencap.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace clawperator {

// The value is the number of bytes of a pixel.
enum class Channels : std::uint8_t { rgb = 3, rgba = 4 };

constexpr std::size_t channel_count(Channels channels) {
  return static_cast<std::size_t>(channels);
}

struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  Channels channels = Channels::rgb;
  Bytes pixels;  // rows without padding

  // Valid as long as `pixels` is neither changed nor moved away.
  [[nodiscard]] adbproto::RawFrame frame() const;

  bool operator==(const Picture&) const = default;
};

// A known format, sides of 1 to kMaxFrameSide, exactly as many bytes as they need; else
// screenshot_capture_failed. Everything below requires a frame that passed.
Result<void> check_frame(const adbproto::RawFrame& frame);

// No pixel lets anything through; true for the formats without alpha.
bool is_opaque(const adbproto::RawFrame& frame);

// Every pixel is black: what a device captures of a window that forbids it (FLAG_SECURE).
bool is_all_black(const adbproto::RawFrame& frame);

inline Channels needed_channels(const adbproto::RawFrame& frame) {
  return is_opaque(frame) ? Channels::rgb : Channels::rgba;
}

// Writes row `y` to `row`, which holds exactly frame.width pixels of `channels`.
void convert_row(const adbproto::RawFrame& frame, std::uint32_t y, Channels channels,
                 std::span<std::byte> row);

Picture to_picture(const adbproto::RawFrame& frame, Channels channels);

// A frame as the hashes of its tiles: two frames of the same screen compare equal without being
// kept. The area of the status bar, whose clock goes on, is left out. Pure.

inline constexpr std::uint32_t kTileSide = 32;  // pixels

struct FrameTiles {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  bool black = false;                   // all of it: it shows nothing
  std::vector<std::uint64_t> hashes{};  // by rows

  bool operator==(const FrameTiles&) const = default;
};

// The rows from the top that no tile has: as high as status bars are at most, camera holes
// included.
std::uint32_t status_bar_rows(std::uint32_t width, std::uint32_t height);

// Of a frame that check_frame lets pass.
FrameTiles tiles_of(const adbproto::RawFrame& frame);

// Makes pictures smaller by averaging: every source pixel counts with the share of its area that
// falls into the target pixel. Exact in integers: a source pixel is `target width` units wide, a
// target pixel `source width` units, and so for the heights.
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
