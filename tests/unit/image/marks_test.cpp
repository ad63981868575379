#include "runtime/image/marks.hpp"

#include <catch2/catch.hpp>
#include <set>

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
