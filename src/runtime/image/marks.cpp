#include "runtime/image/marks.hpp"

#include <stb_easy_font.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

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

constexpr int kDigitHeight = 7;  // of the font, in its units
constexpr int kDigitGap = 2;     // behind each digit

Digits digits_of(int number) {
  struct Vertex {
    float x, y, z;
    unsigned char color[4];
  };
  std::string text = std::to_string(number);
  std::ranges::replace(text, '0', 'O');  // the font's zero has a stroke inside, and looks like an 8
  std::array<Vertex, 4 * 16 * 12> vertices{};  // 12 characters of at most 16 strokes
  const int quads = stb_easy_font_print(0, 0, text.data(), nullptr, vertices.data(),
                                        static_cast<int>(sizeof vertices));
  Digits digits{{}, stb_easy_font_width(text.data()) - kDigitGap};
  for (int i = 0; i < quads; ++i) {
    const std::size_t corner = std::size_t{4} * static_cast<std::size_t>(i);
    const auto& from = vertices[corner];
    const auto& to = vertices[corner + 2];
    digits.strokes.push_back({static_cast<int>(from.x), static_cast<int>(from.y),
                              static_cast<int>(to.x), static_cast<int>(to.y)});
  }
  return digits;
}

// What a tag would hide at each pixel: another tag, the middle of a small control, or an edge in
// the picture, which is a part of a letter most often.
class Worth {
 public:
  static constexpr std::uint8_t kTag = 16;
  static constexpr std::uint8_t kMiddle = 4;
  static constexpr std::uint8_t kEdge = 1;

  explicit Worth(const Picture& picture)
      : width_(static_cast<int>(picture.width)),
        height_(static_cast<int>(picture.height)),
        values_(std::size_t{picture.width} * picture.height) {
    constexpr int kContrast = 32;
    const std::size_t size = channel_count(picture.channels);
    const auto green = [&](std::size_t at) {
      return std::to_integer<int>(picture.pixels[at * size + 1]);
    };
    for (std::size_t at = 1; at < values_.size(); ++at) {
      if (std::abs(green(at) - green(at - 1)) > kContrast) values_[at] = kEdge;
    }
  }

  void raise(const Rect& rect, std::uint8_t to) {
    visit(rect, [to](std::uint8_t& value) { value = std::max(value, to); });
  }

  [[nodiscard]] int below(const Rect& rect) {
    int sum = 0;
    visit(rect, [&sum](std::uint8_t value) { sum += value; });
    return sum;
  }

 private:
  template <class Visit>
  void visit(const Rect& rect, Visit visit) {
    const int left = std::max(rect.left, 0);
    const int right = std::min(rect.right, width_);
    const int bottom = std::min(rect.bottom, height_);
    for (int y = std::max(rect.top, 0); y < bottom; ++y) {
      const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
      for (int x = left; x < right; ++x) visit(values_[row + static_cast<std::size_t>(x)]);
    }
  }

  int width_;
  int height_;
  std::vector<std::uint8_t> values_;
};

// One font pixel, in picture pixels. Digits are 14 high on a picture of 540x1200, and are not
// smaller on smaller ones, except where a few of them would fill the picture.
int unit_for(const Picture& picture) {
  constexpr std::int64_t kTiny = 400;
  constexpr std::int64_t kSidesOfUnit = 870;
  const std::int64_t sides = std::int64_t{picture.width} + picture.height;
  if (sides < kTiny) return 1;
  return static_cast<int>(
      std::clamp<std::int64_t>((sides + kSidesOfUnit / 2) / kSidesOfUnit, 2, 8));
}

// The drawing of one call: how thick its lines are and where its tags lie.
class MarkPainter {
 public:
  explicit MarkPainter(Picture& picture)
      : picture_(picture),
        unit_(unit_for(picture)),
        line_(std::max(1, unit_ / 2)),
        worth_(picture) {}

  // Before the first box is drawn: tags stay away from the middle of small ones.
  void spare_middle(const Rect& box) {
    const int width = box.right - box.left;
    const int height = box.bottom - box.top;
    constexpr int kSmall = 6;  // tags fit into its shorter side
    if (std::min(width, height) > kSmall * tag_height()) return;
    worth_.raise({box.left + width / 4, box.top + height / 4, box.right - width / 4,
                  box.bottom - height / 4},
                 Worth::kMiddle);
  }

  void draw_box(const Rect& box, Color color) {
    outline(picture_, box, 2 * line_, kLight);
    outline(picture_, box, line_, color);
  }

  void draw_tag(const Rect& box, int number, Color color) {
    const Digits digits = digits_of(number);
    const Rect tag = place_tag(box, digits.width * unit_ + 2 * margin(), tag_height());
    fill(picture_, tag, kLight);
    fill(picture_, grown(tag, -line_), color);
    for (const Rect& s : digits.strokes) {
      const int x = tag.left + margin();
      const int y = tag.top + margin();
      fill(picture_,
           {x + s.left * unit_, y + s.top * unit_, x + s.right * unit_, y + s.bottom * unit_},
           kLight);
    }
    worth_.raise(tag, Worth::kTag);
  }

 private:
  [[nodiscard]] int margin() const { return unit_ + line_; }
  [[nodiscard]] int tag_height() const { return kDigitHeight * unit_ + 2 * margin(); }

  // Where it hides least, always inside the picture: in a corner of the box, across its edge, or
  // beside it. Of equal places the first: texts begin at the left, so right comes before.
  Rect place_tag(const Rect& box, int width, int height) {
    const int right = box.right - width;
    const int bottom = box.bottom - height;
    const int middle = (box.left + right) / 2;
    const int above = box.top - height;
    const int on_top = box.top - height / 2;
    const int on_bottom = box.bottom - height / 2;
    const auto places = std::to_array<std::array<int, 2>>({{right, box.top},
                                                           {box.left, box.top},
                                                           {right, bottom},
                                                           {box.left, bottom},
                                                           {right, on_top},
                                                           {box.left, on_top},
                                                           {middle, on_top},
                                                           {right, on_bottom},
                                                           {box.left, on_bottom},
                                                           {box.right - width / 2, on_top},
                                                           {box.left - width / 2, on_top},
                                                           {right, above},
                                                           {box.left, above},
                                                           {box.right, box.top},
                                                           {box.left - width, box.top},
                                                           {right, box.bottom},
                                                           {box.left, box.bottom},
                                                           {middle, (box.top + bottom) / 2}});
    Rect best{};
    int least = std::numeric_limits<int>::max();
    // Further on a tag belongs to its box less clearly.
    int distance = 0;
    for (const auto& [x, y] : places) {
      const int left = std::clamp(x, 0, std::max(0, static_cast<int>(picture_.width) - width));
      const int top = std::clamp(y, 0, std::max(0, static_cast<int>(picture_.height) - height));
      const Rect tag{left, top, left + width, top + height};
      const int cost = worth_.below(tag) + distance;
      if (cost < least) {
        best = tag;
        least = cost;
      }
      distance += unit_ * unit_;
    }
    return best;
  }

  Picture& picture_;
  int unit_;
  int line_;
  Worth worth_;
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
  for (const auto& box : boxes) painter.spare_middle(box.rect);
  // All boxes first: a number must not disappear under a later outline.
  for (const auto& box : boxes) painter.draw_box(box.rect, box.color);
  for (const auto& box : boxes) painter.draw_tag(box.rect, box.ref, box.color);
}

}  // namespace clawperator
