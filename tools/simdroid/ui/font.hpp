#pragma once
// Text in the one bitmap-like font: measuring, breaking into lines, and the boxes to paint.
//
// The font is 12 units high; `scale` is pixels per unit. A character beyond ASCII is a hollow
// box 8 units wide: the picture stays deterministic and its place is visible.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/ui/geometry.hpp"

namespace simdroid {

inline constexpr int kFontUnits = 12;

int text_width(std::string_view line, int scale);

// Line breaks of the text, then breaks at spaces (in words, where a word is too long) so that no
// line is wider than `width` pixels. At least one line; at most `max_lines`.
std::vector<std::string> break_lines(std::string_view text, int width, int scale,
                                     int max_lines = 64);

// Calls `paint` for every box of one line whose top left corner is `at`.
void for_each_box(std::string_view line, Point at, int scale,
                  const std::function<void(const Rect&)>& paint);

}  // namespace simdroid
