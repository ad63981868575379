#pragma once
// A frame as the hashes of its tiles: two of the same screen are told to be the same without being
// kept. What lies under the status bar, whose clock goes on, is left out. Pure.

#include <cstdint>
#include <vector>

#include "runtime/image/frame.hpp"

namespace clawperator {

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

}  // namespace clawperator
