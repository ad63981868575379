#include "simdroid/ui/font.hpp"

#include <stb_easy_font.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace simdroid {
namespace {

constexpr unsigned char kFirst = 32, kLast = 126;
constexpr int kBoxWidth = 8;

struct Glyph {
  int advance = 0;
  std::vector<Rect> boxes;
};

// stb writes four vertices of 16 bytes (x, y, z, colour) per box.
Glyph load_glyph(char c) {
  char text[2] = {c, 0};
  std::array<char, 8192> buffer{};
  const int quads =
      stb_easy_font_print(0, 0, text, nullptr, buffer.data(), static_cast<int>(buffer.size()));
  Glyph glyph{stb_easy_font_width(text), {}};
  for (int i = 0; i < quads; ++i) {
    std::array<float, 12> v{};
    std::memcpy(v.data(), buffer.data() + static_cast<std::ptrdiff_t>(i) * 64, sizeof v);
    const auto at = [&v](std::size_t k) { return static_cast<int>(std::lround(v[k])); };
    glyph.boxes.push_back({at(0), at(1), at(8), at(9)});
  }
  return glyph;
}

const Glyph& glyph(unsigned char c) {
  static const auto glyphs = [] {
    std::array<Glyph, kLast - kFirst + 1> all;
    for (unsigned char k = kFirst; k <= kLast; ++k)
      all[k - kFirst] = load_glyph(static_cast<char>(k));
    return all;
  }();
  static const Glyph box{kBoxWidth, {{1, 1, 7, 2}, {1, 8, 7, 9}, {1, 2, 2, 8}, {6, 2, 7, 8}}};
  return c >= kFirst && c <= kLast ? glyphs[c - kFirst] : box;
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
    used += glyph(static_cast<unsigned char>(line[at])).advance * scale;
    if (used > width && at > 0) return last_space > 0 ? last_space : at;
    if (line[at] == ' ') last_space = at;
    at += character_length(line, at);
  }
  return at;
}

}  // namespace

int text_width(std::string_view line, int scale) {
  int units = 0;
  for (const char c : line) {
    if (starts_character(c)) units += glyph(static_cast<unsigned char>(c)).advance;
  }
  return units * scale;
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

void for_each_box(std::string_view line, Point at, int scale,
                  const std::function<void(const Rect&)>& paint) {
  for (std::size_t i = 0; i < line.size(); i += character_length(line, i)) {
    const Glyph& shape = glyph(static_cast<unsigned char>(line[i]));
    for (const Rect& box : shape.boxes) {
      paint({at.x + box.left * scale, at.y + box.top * scale, at.x + box.right * scale,
             at.y + box.bottom * scale});
    }
    at.x += shape.advance * scale;
  }
}

}  // namespace simdroid
