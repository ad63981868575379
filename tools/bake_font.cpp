// Draws the letters of a TrueType font once, while the project is built, in every size the
// simulated phone's screens use, and writes them as C++ (simdroid/ui/baked_font.hpp says what is in
// it).
//   usage: bake_font FONT.ttf OUTPUT.cpp

#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "simdroid/ui/baked_font.hpp"

namespace {

using simdroid::kFirstBaked, simdroid::kLargestBaked, simdroid::kLastBaked;

constexpr float kUnitsPerEm = 10;  // of the twelve of a line
constexpr float kBaseline = 9.4F;  // in units, from the line's top

// Sixteen shades are as good to the eye as 256, and a PNG of them is smaller.
unsigned char to_sixteenth(unsigned char coverage) {
  return static_cast<unsigned char>((coverage + 8) / 17 * 17);
}

std::string row_of(const stbtt_fontinfo& font, int character, int size) {
  const float scale =
      stbtt_ScaleForMappingEmToPixels(&font, kUnitsPerEm * static_cast<float>(size));
  const int baseline = static_cast<int>(std::lround(kBaseline * static_cast<float>(size)));
  int advance = 0, bearing = 0, left = 0, top = 0, right = 0, bottom = 0;
  stbtt_GetCodepointHMetrics(&font, character, &advance, &bearing);
  stbtt_GetCodepointBitmapBox(&font, character, scale, scale, &left, &top, &right, &bottom);
  const int width = right - left, height = bottom - top;
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width * height));
  if (!pixels.empty()) {
    stbtt_MakeCodepointBitmap(&font, pixels.data(), width, height, width, scale, scale, character);
  }
  std::string row = "{" + std::to_string(std::lround(scale * static_cast<float>(advance)));
  for (const int number : {left, top + baseline, width, height})
    row += "," + std::to_string(number);
  row += ",\"";
  for (const unsigned char pixel : pixels) {
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", to_sixteenth(pixel));
    row += octal;
  }
  return row + "\"},\n";
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: bake_font FONT.ttf OUTPUT.cpp\n", stderr);
    return 2;
  }
  std::ifstream file(words[1], std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  stbtt_fontinfo font;
  if (bytes.empty() || stbtt_InitFont(&font, data, stbtt_GetFontOffsetForIndex(data, 0)) == 0) {
    std::fprintf(stderr, "bake_font: %s is no TrueType font\n", words[1]);
    return 1;
  }
  std::ofstream out(words[2]);
  out << "#include \"simdroid/ui/baked_font.hpp\"\n\nnamespace simdroid {\n\n"
         "const BakedGlyph kBakedGlyphs[kLargestBaked][kLastBaked - kFirstBaked + 1] = {\n";
  for (int size = 1; size <= kLargestBaked; ++size) {
    out << "{\n";
    for (int character = kFirstBaked; character <= kLastBaked; ++character) {
      out << row_of(font, character, size);
    }
    out << "},\n";
  }
  out << "};\n\n}  // namespace simdroid\n";
  return out.flush() ? 0 : 1;
}
