#include "runtime/image/frame.hpp"

#include <catch2/catch.hpp>

#include "unit/image/noise.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

// One RGB picture from grey levels.
Picture grey(std::uint32_t width, std::uint32_t height, const std::vector<int>& levels) {
  Picture picture{width, height, Channels::rgb, {}};
  for (const int level : levels)
    picture.pixels.insert(picture.pixels.end(), 3, static_cast<std::byte>(level));
  return picture;
}

}  // namespace

TEST_CASE("fit: keeps the shape, never grows, never vanishes") {
  struct Row {
    PictureSize size;
    std::uint32_t max_side;
    PictureSize fitted;
  };
  const auto row = GENERATE(values<Row>({
      {{1080, 2400}, 1200, {540, 1200}},
      {{2400, 1080}, 1200, {1200, 540}},
      {{1080, 2400}, 2400, {1080, 2400}},
      {{1080, 2400}, 9999, {1080, 2400}},
      {{1080, 2400}, 1000, {450, 1000}},
      {{1000, 3000}, 100, {33, 100}},
      {{16384, 1}, 10, {10, 1}},
      {{5, 5}, 1, {1, 1}},
  }));
  CHECK(fit(row.size, row.max_side) == row.fitted);
}

TEST_CASE("scale: every target pixel is the average of what it covers") {
  struct Row {
    std::string name;
    Picture source;
    PictureSize target;
    std::vector<int> levels;
  };
  const auto row = GENERATE(values<Row>({
      {"four to one", grey(2, 2, {0, 10, 20, 50}), {1, 1}, {20}},
      {"three to two", grey(3, 1, {0, 90, 255}), {2, 1}, {30, 200}},
      {"three to two, upright", grey(1, 3, {0, 90, 255}), {1, 2}, {30, 200}},
      {"rows only", grey(2, 2, {0, 100, 50, 200}), {2, 1}, {25, 150}},
      {"not at all", grey(2, 1, {7, 9}), {2, 1}, {7, 9}},
      {"rounded", grey(2, 1, {0, 1}), {1, 1}, {1}},
      {"five to three", grey(5, 1, {0, 50, 100, 150, 200}), {3, 1}, {20, 100, 180}},
  }));
  INFO(row.name);
  const Picture scaled = scale_down(row.source.frame(), row.target);
  CHECK(scaled == grey(row.target.width, row.target.height, row.levels));
}

TEST_CASE("scale: a flat picture stays flat at every size") {
  const Picture source = test::flat(61, 43, 255, 128, 1);
  for (std::uint32_t width = 1; width <= 61; width += 7)
    for (std::uint32_t height = 1; height <= 43; height += 6)
      CHECK(scale_down(source.frame(), {width, height}) == test::flat(width, height, 255, 128, 1));
}

TEST_CASE("scale: alpha survives, opaque alpha is dropped") {
  Picture picture = to_picture(test::flat(2, 1, 9, 9, 9).frame(), Channels::rgba);
  CHECK(scale_down(picture.frame(), {1, 1}).channels == Channels::rgb);
  picture.pixels[3] = std::byte{1};
  const Picture scaled = scale_down(picture.frame(), {1, 1});
  REQUIRE(scaled.channels == Channels::rgba);
  CHECK(scaled.pixels[3] == std::byte{128});
}

TEST_CASE("scale: the longest side there is does not overflow") {
  const Picture scaled =
      scale_down(test::flat(adbproto::kMaxFrameSide, 2, 255, 255, 255).frame(), {1, 1});
  CHECK(scaled == test::flat(1, 1, 255, 255, 255));
  const Picture upright =
      scale_down(test::flat(2, adbproto::kMaxFrameSide, 255, 255, 255).frame(), {1, 1});
  CHECK(upright == test::flat(1, 1, 255, 255, 255));
}
