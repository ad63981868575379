#include "runtime/image/marks.hpp"

#include <stb_easy_font.h>

#include <algorithm>

namespace clawperator {
namespace {

struct Color {
  std::uint8_t red, green, blue;
};

// Picture pixels; right and bottom exclusive.
struct Rect {
  int left, top, right, bottom;
};

constexpr Color kLight{255, 255, 255};

// Dark enough for white digits; neighbours in the list differ, because neighbours on a screen do.
constexpr std::array<Color, 6> kPalette = {
    {{200, 0, 40}, {0, 90, 200}, {0, 110, 40}, {140, 0, 160}, {150, 75, 0}, {0, 95, 110}}};

bool overlap(const Rect& a, const Rect& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

Rect grown(const Rect& rect, int by) {
  return {rect.left - by, rect.top - by, rect.right + by, rect.bottom + by};
}

void fill(Picture& picture, const Rect& rect, Color color) {
  const int left = std::max(rect.left, 0);
  const int right = std::min(rect.right, static_cast<int>(picture.width));
  const int bottom = std::min(rect.bottom, static_cast<int>(picture.height));
  const std::size_t size = channel_count(picture.channels);
  for (int y = std::max(rect.top, 0); y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const auto at = static_cast<std::size_t>(y) * picture.width + static_cast<std::size_t>(x);
      std::byte* pixel = &picture.pixels[at * size];
      pixel[0] = std::byte{color.red};
      pixel[1] = std::byte{color.green};
      pixel[2] = std::byte{color.blue};
      if (picture.channels == Channels::rgba) pixel[3] = std::byte{255};
    }
  }
}

// A frame of `width` pixels inside the rectangle.
void outline(Picture& picture, const Rect& r, int width, Color color) {
  fill(picture, {r.left, r.top, r.right, std::min(r.top + width, r.bottom)}, color);
  fill(picture, {r.left, std::max(r.bottom - width, r.top), r.right, r.bottom}, color);
  fill(picture, {r.left, r.top, std::min(r.left + width, r.right), r.bottom}, color);
  fill(picture, {std::max(r.right - width, r.left), r.top, r.right, r.bottom}, color);
}

// The strokes of a number in the font's own units, as rectangles.
struct Digits {
  std::vector<Rect> strokes;
  int width = 0;
};

constexpr int kDigitHeight = 9;  // of the font, in its units

Digits digits_of(int number) {
  struct Vertex {
    float x, y, z;
    unsigned char color[4];
  };
  std::string text = std::to_string(number);
  std::array<Vertex, 4 * 16 * 12> vertices{};  // 12 characters of at most 16 strokes
  const int quads = stb_easy_font_print(0, 0, text.data(), nullptr, vertices.data(),
                                        static_cast<int>(sizeof vertices));
  Digits digits{{}, stb_easy_font_width(text.data())};
  for (int i = 0; i < quads; ++i) {
    const auto& from = vertices[static_cast<std::size_t>(4 * i)];
    const auto& to = vertices[static_cast<std::size_t>(4 * i + 2)];
    digits.strokes.push_back({static_cast<int>(from.x), static_cast<int>(from.y),
                              static_cast<int>(to.x), static_cast<int>(to.y)});
  }
  return digits;
}

// The drawing of one call: how thick its lines are and where its tags lie.
class MarkPainter {
 public:
  explicit MarkPainter(Picture& picture)
      : picture_(picture),
        unit_(std::clamp(static_cast<int>(std::max(picture.width, picture.height)) / 700, 1, 8)) {}

  void draw_box(const Rect& box, Color color) {
    outline(picture_, box, 2 * unit_, kLight);
    outline(picture_, box, unit_, color);
  }

  void draw_tag(const Rect& box, int number, Color color) {
    const Digits digits = digits_of(number);
    const Rect tag = place_tag(box, (digits.width + 3) * unit_, (kDigitHeight + 2) * unit_);
    fill(picture_, grown(tag, unit_), kLight);
    fill(picture_, tag, color);
    for (const Rect& s : digits.strokes) {
      const int x = tag.left + 2 * unit_;
      const int y = tag.top + 2 * unit_;
      fill(picture_,
           {x + s.left * unit_, y + s.top * unit_, x + s.right * unit_, y + s.bottom * unit_},
           kLight);
    }
    tags_.push_back(tag);
  }

 private:
  // The first free corner of the box, else its middle; always inside the picture.
  Rect place_tag(const Rect& box, int width, int height) {
    const int right = box.right - width;
    const int bottom = box.bottom - height;
    // To the right first: texts begin at the left.
    const std::array<std::array<int, 2>, 5> places = {
        {{right, box.top},
         {box.left, box.top},
         {right, bottom},
         {box.left, bottom},
         {(box.left + right) / 2, (box.top + bottom) / 2}}};
    Rect tag{};
    for (const auto& [x, y] : places) {
      const int left = std::clamp(x, unit_, std::max(unit_, width_of(picture_) - width - unit_));
      const int top = std::clamp(y, unit_, std::max(unit_, height_of(picture_) - height - unit_));
      tag = {left, top, left + width, top + height};
      const auto hit = [&](const Rect& other) { return overlap(grown(tag, unit_), other); };
      if (std::ranges::none_of(tags_, hit)) return tag;
    }
    return tag;
  }

  static int width_of(const Picture& picture) { return static_cast<int>(picture.width); }
  static int height_of(const Picture& picture) { return static_cast<int>(picture.height); }

  Picture& picture_;
  int unit_;  // one font pixel, in picture pixels
  std::vector<Rect> tags_;
};

// The part of the mark that lies in the picture; empty (left >= right) for the others.
Rect to_picture_rect(const Picture& picture, const Mark& mark, DeviceScale scale) {
  const auto scaled = [&](int value, std::uint32_t end) {
    const std::int64_t at = std::int64_t{value} * scale.picture / scale.device;
    return static_cast<int>(std::clamp<std::int64_t>(at, 0, end));
  };
  return {scaled(mark.left, picture.width), scaled(mark.top, picture.height),
          scaled(mark.right, picture.width), scaled(mark.bottom, picture.height)};
}

}  // namespace

void draw_marks(Picture& picture, const std::vector<Mark>& marks, DeviceScale scale) {
  struct Box {
    Rect rect;
    int ref;
    Color color;
  };
  std::vector<Box> boxes;
  for (const auto& mark : marks) {
    const Rect rect = to_picture_rect(picture, mark, scale);
    if (rect.left >= rect.right || rect.top >= rect.bottom) continue;
    const auto place = static_cast<std::size_t>(std::max(mark.ref, 0)) % kPalette.size();
    boxes.push_back({rect, mark.ref, kPalette[place]});
  }
  MarkPainter painter(picture);
  // All boxes first: a number must not disappear under a later outline.
  for (const auto& box : boxes) painter.draw_box(box.rect, box.color);
  for (const auto& box : boxes) painter.draw_tag(box.rect, box.ref, box.color);
}

}  // namespace clawperator
