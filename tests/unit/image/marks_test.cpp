#include "runtime/image/marks.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "runtime/image/picture.hpp"
#include "runtime/image/png.hpp"
#include "unit/image/noise.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

using Pixel = std::array<int, 3>;

Pixel pixel_at(const Picture& picture, std::uint32_t x, std::uint32_t y) {
  const std::size_t at = (std::size_t{y} * picture.width + x) * channel_count(picture.channels);
  const auto value = [&](std::size_t i) { return std::to_integer<int>(picture.pixels[at + i]); };
  return {value(0), value(1), value(2)};
}

// Pixels that drawing changed.
std::size_t changed(const Picture& before, const Picture& after) {
  std::size_t count = 0;
  for (std::uint32_t y = 0; y < after.height; ++y)
    for (std::uint32_t x = 0; x < after.width; ++x)
      count += pixel_at(before, x, y) != pixel_at(after, x, y) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("marks: a box and a tag that stand out on any background") {
  const int level = GENERATE(0, 128, 255);
  const auto shade = static_cast<std::uint8_t>(level);
  const Picture before = test::flat(200, 100, shade, shade, shade);
  Picture picture = before;
  draw_marks(picture, {{7, 20, 30, 180, 90}});

  const Pixel background = {level, level, level};
  const auto contrast = [&](const Pixel& a) {
    return std::abs(a[0] - background[0]) + std::abs(a[1] - background[1]) +
           std::abs(a[2] - background[2]);
  };
  // Along a line across the left edge there is something far from the background.
  int best = 0;
  for (std::uint32_t x = 18; x < 26; ++x) best = std::max(best, contrast(pixel_at(picture, x, 80)));
  CHECK(best > 150);
  // The middle of the box and everything outside it stay as they were.
  CHECK(pixel_at(picture, 150, 60) == background);
  CHECK(pixel_at(picture, 10, 50) == background);
  CHECK(pixel_at(picture, 190, 95) == background);
  CHECK(pixel_at(picture, 100, 25) == background);
}

TEST_CASE("marks: the number can be read in the tag") {
  Picture one = test::flat(60, 60, 90, 90, 90);
  Picture eight = one;
  draw_marks(one, {{1, 10, 10, 50, 50}});
  draw_marks(eight, {{7, 10, 10, 50, 50}});  // the same colour: 1 and 7 are six apart
  std::size_t different = 0;
  std::set<Pixel> colors;
  for (std::uint32_t y = 0; y < 60; ++y) {
    for (std::uint32_t x = 0; x < 60; ++x) {
      different += pixel_at(one, x, y) != pixel_at(eight, x, y) ? 1 : 0;
      colors.insert(pixel_at(one, x, y));
    }
  }
  CHECK(different > 3);
  CHECK(different < 100);
  CHECK(colors == std::set<Pixel>{{90, 90, 90}, {255, 255, 255}, {0, 90, 200}});
}

TEST_CASE("marks: tags of boxes in the same corner do not cover each other") {
  Picture once = test::flat(300, 300, 90, 90, 90);
  Picture twice = once;
  draw_marks(once, {{1, 10, 10, 290, 290}});
  draw_marks(twice, {{1, 10, 10, 290, 290}, {1, 10, 10, 290, 290}});
  CHECK(changed(once, twice) > 60);
}

TEST_CASE("marks: what lies outside the picture is left out") {
  const Picture before = test::flat(50, 40, 1, 2, 3);
  const Mark mark = GENERATE(Mark{1, 60, 10, 90, 30}, Mark{1, 0, 40, 50, 80}, Mark{1, -9, -9, 0, 0},
                             Mark{1, 10, 10, 10, 30}, Mark{1, 30, 30, 10, 10},
                             Mark{1, 2147483000, 0, 2147483647, 10});
  Picture picture = before;
  draw_marks(picture, {mark});
  CHECK(picture == before);
}

TEST_CASE("marks: boxes that reach over the edge, and tiny pictures, are drawn where they can be") {
  const Mark mark = GENERATE(Mark{99999, -100, -100, 1000, 1000}, Mark{5, -2147483647, 0, 8, 9},
                             Mark{123, 0, 0, 1, 1});
  for (const std::uint32_t side : {1U, 3U, 10U, 40U}) {
    Picture picture = test::flat(side, side, 90, 90, 90);
    draw_marks(picture, {mark});
    CHECK(picture.pixels.size() == std::size_t{side} * side * 3);
    CHECK(picture != test::flat(side, side, 90, 90, 90));
  }
}

TEST_CASE("marks: bounds are in device pixels") {
  Picture full = test::flat(100, 100, 90, 90, 90);
  Picture half = full;
  draw_marks(full, {{3, 20, 20, 60, 60}});
  draw_marks(half, {{3, 40, 40, 120, 120}}, {.device = 2, .picture = 1});
  CHECK(full == half);
}

TEST_CASE("marks: drawn pixels of a see-through picture are opaque") {
  Picture picture{20, 20, Channels::rgba, Bytes(1600)};
  draw_marks(picture, {{1, 0, 0, 20, 20}});
  CHECK(picture.pixels[3] == std::byte{255});
}

namespace {

struct Area {
  int left, top, right, bottom;  // right and bottom exclusive
  [[nodiscard]] bool covers(int x, int y) const {
    return left <= x && x < right && top <= y && y < bottom;
  }
  [[nodiscard]] bool meets(const Area& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

struct ReadTag {
  int number = 0;
  int digit_height = 0;
  Area area{};
};

bool is_light(const Pixel& pixel) { return pixel == Pixel{255, 255, 255}; }

// The digit whose strokes are seen where a seven-segment display has its own; -1 for none.
int digit_in(const Picture& picture, const Area& glyph) {
  const int width = glyph.right - glyph.left;
  const int height = glyph.bottom - glyph.top;
  if (4 * width < 2 * height) return 1;  // the narrow one
  const auto lit = [&](int column, int row) {
    const int x = glyph.left + (2 * column + 1) * width / 8;
    const int y = glyph.top + (2 * row + 1) * height / 14;
    return is_light(
        pixel_at(picture, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)));
  };
  std::string segments;
  for (const auto& [column, row] : std::to_array<std::array<int, 2>>(
           {{2, 0}, {0, 1}, {3, 1}, {2, 3}, {0, 4}, {3, 4}, {2, 6}})) {
    segments += lit(column, row) ? '#' : '.';
  }
  const auto shapes =
      std::to_array<std::string_view>({"###.###", "?", "#.##..#", "#.##.##", ".###.#.", "##.#.##",
                                       "##.####", "#.##...", "#######", "####.#."});
  const auto found = std::ranges::find(shapes, segments);
  return found == shapes.end() ? -1 : static_cast<int>(found - shapes.begin());
}

Pixel at(const Picture& picture, int x, int y) {
  return pixel_at(picture, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
}

Area whole(const Picture& picture) {
  return {0, 0, static_cast<int>(picture.width), static_cast<int>(picture.height)};
}

// The pixels of one colour that hang together.
struct Patch {
  Area area;
  int count = 0;
};

Patch patch_at(const Picture& picture, int x, int y, std::set<std::array<int, 2>>& visited) {
  const Pixel color = at(picture, x, y);
  Patch patch{{x, y, x + 1, y + 1}};
  std::vector<std::array<int, 2>> open{{x, y}};
  visited.insert({x, y});
  while (!open.empty()) {
    const auto [px, py] = open.back();
    open.pop_back();
    ++patch.count;
    Area& area = patch.area;
    area = {std::min(area.left, px), std::min(area.top, py), std::max(area.right, px + 1),
            std::max(area.bottom, py + 1)};
    const std::array<std::array<int, 2>, 4> near{
        {{px + 1, py}, {px - 1, py}, {px, py + 1}, {px, py - 1}}};
    for (const auto& [nx, ny] : near) {
      if (!whole(picture).covers(nx, ny) || at(picture, nx, ny) != color) continue;
      if (visited.insert({nx, ny}).second) open.push_back({nx, ny});
    }
  }
  return patch;
}

// Neither an outline nor a part of one: its upper and lower rows are of the colour.
bool is_tag(const Picture& picture, const Patch& patch) {
  const Area& area = patch.area;
  const Pixel color = at(picture, area.left, area.top);
  for (int x = area.left; x < area.right; ++x) {
    if (at(picture, x, area.top) != color || at(picture, x, area.bottom - 1) != color) return false;
  }
  return 3 * patch.count >= (area.right - area.left) * (area.bottom - area.top);
}

// What is white in it, split at columns without white.
std::vector<Area> glyphs_in(const Picture& picture, const Area& area) {
  std::vector<Area> glyphs;
  bool was_light = false;
  for (int x = area.left; x < area.right; ++x) {
    bool has_light = false;
    for (int y = area.top; y < area.bottom; ++y) {
      if (!is_light(at(picture, x, y))) continue;
      if (!was_light && !has_light) glyphs.push_back({x, y, x + 1, y + 1});
      has_light = true;
      Area& glyph = glyphs.back();
      glyph = {glyph.left, std::min(glyph.top, y), x + 1, std::max(glyph.bottom, y + 1)};
    }
    was_light = has_light;
  }
  return glyphs;
}

// The tags of a picture without colours of its own: plain areas of one colour, with white digits.
std::vector<ReadTag> read_tags(const Picture& picture) {
  std::set<std::array<int, 2>> visited;
  std::vector<ReadTag> tags;
  for (int y = 0; y < whole(picture).bottom; ++y) {
    for (int x = 0; x < whole(picture).right; ++x) {
      const Pixel color = at(picture, x, y);
      const bool is_grey = color[0] == color[1] && color[1] == color[2];
      if (is_grey || visited.contains({x, y})) continue;
      const Patch patch = patch_at(picture, x, y, visited);
      if (!is_tag(picture, patch)) continue;
      const auto glyphs = glyphs_in(picture, patch.area);
      if (glyphs.empty()) continue;
      ReadTag tag{.area = patch.area};
      for (const Area& glyph : glyphs) {
        tag.digit_height = glyph.bottom - glyph.top;
        tag.number = 10 * tag.number + digit_in(picture, glyph);
      }
      tags.push_back(tag);
    }
  }
  return tags;
}

// Rows with a switch each, a bar of small icons, and a keyboard: in pixels of a 1080x2400 screen.
std::vector<Mark> busy_screen() {
  std::vector<Mark> marks;
  int ref = 1;
  const auto add = [&](int left, int top, int right, int bottom) {
    marks.push_back({ref, left, top, right, bottom});
    ref += 1 + static_cast<int>(marks.size()) % 5;
  };
  for (int i = 0; i < 4; ++i) add(60 + 240 * i, 120, 156 + 240 * i, 216);
  for (int top = 260; top < 1500; top += 170) {
    add(0, top, 1080, top + 168);
    add(900, top + 40, 1032, top + 128);
  }
  for (int top = 1660; top < 2300; top += 165) {
    for (int i = 0; i < 10; ++i) add(108 * i, top, 108 * i + 108, top + 165);
  }
  return marks;
}

}  // namespace

TEST_CASE("marks: the numbers of a busy screen are read from a picture 540 pixels wide") {
  const auto marks = busy_screen();
  const Picture screen = test::flat(1080, 2400, 90, 90, 90);
  const auto file = encode_picture(screen.frame(), {.max_side = 1200, .marks = marks});
  REQUIRE(file);
  const Picture picture = *decode_png(*file);
  REQUIRE(picture.width == 540);
  const auto tags = read_tags(picture);

  std::vector<int> read;
  for (const ReadTag& tag : tags) {
    read.push_back(tag.number);
    CHECK(tag.digit_height >= 14);
  }
  std::ranges::sort(read);
  std::vector<int> drawn;
  for (const Mark& mark : marks) drawn.push_back(mark.ref);
  CHECK(read == drawn);
  for (std::size_t i = 0; i < tags.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(tags[i].area.meets(tags[j].area));
  }
}

TEST_CASE("marks: a tag leaves the middle of small controls free") {
  const auto marks = busy_screen();
  Picture picture = test::flat(540, 1200, 90, 90, 90);
  draw_marks(picture, marks, {.device = 2, .picture = 1});
  for (const ReadTag& tag : read_tags(picture)) {
    for (const Mark& mark : marks) {
      INFO(tag.number << " on " << mark.ref);
      CHECK_FALSE(tag.area.covers((mark.left + mark.right) / 4, (mark.top + mark.bottom) / 4));
    }
  }
}

TEST_CASE("marks: a tag avoids what is written in its box") {
  // Stripes as close as letters, in all but the left end of the box.
  Picture picture = test::flat(540, 1200, 200, 200, 200);
  for (std::uint32_t y = 105; y < 155; ++y) {
    for (std::uint32_t x = 90; x < 530; x += 4) {
      for (std::size_t i = 0; i < 3; ++i)
        picture.pixels[(std::size_t{y} * 540 + x) * 3 + i] = std::byte{0};
    }
  }
  draw_marks(picture, {{25, 10, 100, 530, 160}});
  const auto tags = read_tags(picture);
  REQUIRE(tags.size() == 1);
  CHECK(tags[0].number == 25);
  CHECK(tags[0].area.right <= 90);
}

TEST_CASE("marks: the digits follow the size of the picture") {
  const auto height_at = [](std::uint32_t width, std::uint32_t height) {
    Picture picture = test::flat(width, height, 90, 90, 90);
    draw_marks(picture,
               {{28, 10, 10, static_cast<int>(width) - 10, static_cast<int>(height) - 10}});
    const auto tags = read_tags(picture);
    REQUIRE(tags.size() == 1);
    CHECK(tags[0].number == 28);
    return tags[0].digit_height;
  };
  CHECK(height_at(100, 200) == 7);
  CHECK(height_at(288, 640) == 14);
  CHECK(height_at(540, 1200) == 14);
  CHECK(height_at(1280, 800) == 14);
  CHECK(height_at(1080, 2400) == 28);
}
