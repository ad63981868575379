#pragma once
// The screen as pixels: RGBA8888, top row first, no padding between rows.

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

struct Frame {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;  // in memory: R, G, B, A

  [[nodiscard]] ByteView bytes() const { return std::as_bytes(std::span(pixels)); }
};

// The same world gives the same pixels. Black while the screen is off.
Frame draw_screen(const UiWorld& world);

}  // namespace simdroid
