#include "simdroid/ui/font.hpp"

#include <algorithm>

#include "simdroid/ui/baked_font.hpp"

namespace simdroid {
namespace {

constexpr int kBoxWidth = 8;  // units

// nullptr: a character beyond ASCII.
const BakedGlyph* baked(char c, int size) {
  const int code = static_cast<unsigned char>(c);
  if (code < kFirstBaked || code > kLastBaked) return nullptr;
  return &kBakedGlyphs[size - 1][code - kFirstBaked];
}

int baked_size(int scale) { return std::clamp(scale, 1, kLargestBaked); }

int advance(char c, int scale) {
  const int size = baked_size(scale);
  const BakedGlyph* glyph = baked(c, size);
  return glyph == nullptr ? kBoxWidth * scale : glyph->advance * scale / size;
}

// Continuation bytes belong to the character before.
bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (at + length < text.size() && !starts_character(text[at + length])) ++length;
  return length;
}

// The longest prefix of `line` that fits, broken at a space where there is one.
std::size_t fitting_prefix(std::string_view line, int width, int scale) {
  std::size_t at = 0, last_space = 0;
  for (int used = 0; at < line.size();) {
    used += advance(line[at], scale);
    if (used > width && at > 0) return last_space > 0 ? last_space : at;
    if (line[at] == ' ') last_space = at;
    at += character_length(line, at);
  }
  return at;
}

}  // namespace

int text_width(std::string_view line, int scale) {
  int width = 0;
  for (const char c : line) {
    if (starts_character(c)) width += advance(c, scale);
  }
  return width;
}

std::vector<std::string> break_lines(std::string_view text, int width, int scale, int max_lines) {
  std::vector<std::string> lines;
  while (static_cast<int>(lines.size()) < max_lines) {
    const std::size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    do {
      const std::size_t cut = fitting_prefix(line, width, scale);
      lines.emplace_back(line.substr(0, cut));
      line.remove_prefix(cut < line.size() && line[cut] == ' ' ? cut + 1 : cut);
    } while (!line.empty() && static_cast<int>(lines.size()) < max_lines);
    if (newline == std::string_view::npos) break;
    text.remove_prefix(newline + 1);
  }
  return lines;
}

void for_each_letter(std::string_view line, Point at, int scale,
                     const std::function<void(const Letter&)>& paint) {
  const int size = baked_size(scale);
  const auto enlarged = [&](int pixels) { return pixels * scale / size; };
  for (std::size_t i = 0; i < line.size(); i += character_length(line, i)) {
    if (const BakedGlyph* glyph = baked(line[i], size)) {
      const int left = at.x + enlarged(glyph->left), top = at.y + enlarged(glyph->top);
      paint({{left, top, left + enlarged(glyph->width), top + enlarged(glyph->height)},
             glyph->coverage,
             glyph->width,
             glyph->height});
    } else {
      paint({{at.x + scale, at.y + 2 * scale, at.x + 7 * scale, at.y + 10 * scale}, nullptr, 0, 0});
    }
    at.x += advance(line[i], scale);
  }
}

}  // namespace simdroid
