#pragma once
// The letters of DejaVu Sans as tools/bake_font.cpp drew them while this was built: printable
// ASCII, in the sizes of 1 to kLargestBaked pixels per font unit.

namespace simdroid {

inline constexpr int kFirstBaked = ' ', kLastBaked = '~';
inline constexpr int kLargestBaked = 8;

// All in pixels. The picture's top left corner is counted from the pen's place at the line's top.
struct BakedGlyph {
  int advance;
  int left, top, width, height;
  const char* coverage;  // width * height bytes, row by row: 0 is paper, 255 is ink
};

// The first index is the size less one, the second the character less kFirstBaked.
extern const BakedGlyph kBakedGlyphs[kLargestBaked][kLastBaked - kFirstBaked + 1];

}  // namespace simdroid
