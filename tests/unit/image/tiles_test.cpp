#include "runtime/image/frame.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace adbproto;

namespace {

// Every channel of every pixel the same.
Picture plain_screen(std::uint32_t width, std::uint32_t height, std::byte level) {
  return {width, height, Channels::rgba, Bytes(std::size_t{width} * height * 4, level)};
}

FrameTiles tiles_with(std::uint32_t x, std::uint32_t y) {
  Picture picture = plain_screen(100, 200, std::byte{7});
  picture.pixels[(std::size_t{y} * 100 + x) * 4 + 1] = std::byte{8};
  return tiles_of(picture.frame());
}

}  // namespace

TEST_CASE("tiles: one channel of one pixel is a change, of one tile", "[image]") {
  const FrameTiles before = tiles_of(plain_screen(100, 200, std::byte{7}).frame());
  CHECK(before == tiles_of(plain_screen(100, 200, std::byte{7}).frame()));
  CHECK(before.hashes.size() == 4 * 6);  // 100 / 32, (200 - 10) / 32, each rounded up
  const auto [x, y] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{0, 10}, {99, 199}, {0, 199}, {99, 10}, {31, 41}, {32, 42}, {50, 100}}));
  const FrameTiles after = tiles_with(x, y);
  CHECK_FALSE(after == before);
  std::size_t others = 0;
  for (std::size_t i = 0; i < before.hashes.size(); ++i) {
    others += before.hashes[i] != after.hashes[i] ? 1 : 0;
  }
  CHECK(others == 1);
}

TEST_CASE("tiles: the status bar does not count, turned or not", "[image]") {
  CHECK(status_bar_rows(1080, 2400) == 120);
  CHECK(status_bar_rows(2400, 1080) == 67);
  CHECK(tiles_with(50, 9) == tiles_of(plain_screen(100, 200, std::byte{7}).frame()));
}

TEST_CASE("tiles: a turned screen is another one, and a black one shows nothing", "[image]") {
  const FrameTiles upright = tiles_of(plain_screen(64, 128, std::byte{7}).frame());
  CHECK_FALSE(upright == tiles_of(plain_screen(128, 64, std::byte{7}).frame()));
  CHECK_FALSE(upright.black);
  CHECK(tiles_of(plain_screen(64, 128, std::byte{0}).frame()).black);
}

TEST_CASE("tiles: a frame of one pixel has one, or none below the status bar", "[image]") {
  CHECK(tiles_of(plain_screen(1, 1, std::byte{1}).frame()).hashes.size() == 1);
  CHECK(tiles_of(plain_screen(33, 1, std::byte{1}).frame()).hashes.size() == 2);
}
