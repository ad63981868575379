#pragma once
// Text on the simulated screen: measuring, breaking into lines, and the letters' pictures.
//
// A line is 12 units high; `scale` is pixels per unit. A character beyond ASCII is a hollow box 8
// units wide: the picture stays deterministic and its place is visible.

#include <cstdint>
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

// One letter and its place for painting. Its picture may be smaller than its place: large text is
// enlarged from the largest drawn size.
struct Letter {
  Rect place;
  const char* coverage = nullptr;  // nullptr: the frame of an unknown character
  int width = 0, height = 0;       // of the picture
};

// Calls `paint` for every letter of one line whose top left corner is `at`.
void for_each_letter(std::string_view line, Point at, int scale,
                     const std::function<void(const Letter&)>& paint);

}  // namespace simdroid
