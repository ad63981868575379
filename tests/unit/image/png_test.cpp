#include "runtime/image/png.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/screencap.hpp"
#include "runtime/image/errc.hpp"
#include "unit/image/noise.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

Bytes encoded(const Picture& picture) {
  auto png = encode_png(picture.frame());
  REQUIRE(png);
  return *std::move(png);
}

// The colour type byte of IHDR: 2 is RGB, 6 is RGBA.
int color_type(const Bytes& png) { return std::to_integer<int>(png.at(25)); }

}  // namespace

TEST_CASE("png: every pixel comes back") {
  const auto size = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{1, 1}, {1, 7}, {7, 1}, {3, 5}, {64, 64}, {101, 37}, {1080, 40}}));
  const auto channels = GENERATE(Channels::rgb, Channels::rgba);
  const Picture picture = test::noise(std::get<0>(size), std::get<1>(size), channels);
  const auto decoded = decode_png(encoded(picture));
  REQUIRE(decoded);
  CHECK(*decoded == picture);
}

TEST_CASE("png: a whole file by the checker that guards captures") {
  const Bytes png = encoded(test::noise(33, 21, Channels::rgb));
  adbproto::PngChecker checker;
  checker.feed(png);
  CHECK(checker.finish());
  CHECK(checker.width() == 33);
  CHECK(checker.height() == 21);
}

TEST_CASE("png: black is recognised, and where it is not", "[R15]") {
  Picture black{101, 37, Channels::rgb, {}};
  black.pixels.resize(101 * 37 * 3);
  CHECK(is_black_png(encoded(black)));
  Picture veiled{4, 4, Channels::rgba, Bytes(64)};
  CHECK(is_black_png(encoded(veiled)));
  const auto lit = GENERATE(std::size_t{0}, std::size_t{151}, std::size_t{101 * 37 * 3 - 1});
  black.pixels[lit] = std::byte{1};
  const Bytes png = encoded(black);
  CHECK_FALSE(is_black_png(png));
  for (std::size_t size = 0; size < png.size(); size += 7) {
    CHECK_FALSE(is_black_png(ByteView(png).first(size)));
  }
  CHECK_FALSE(is_black_png({}));
}

TEST_CASE("png: alpha is written only where something shows through") {
  Picture picture = to_picture(test::noise(8, 8, Channels::rgb).frame(), Channels::rgba);
  CHECK(color_type(encoded(picture)) == 2);
  picture.pixels[3] = std::byte{254};
  CHECK(color_type(encoded(picture)) == 6);
  CHECK(*decode_png(encoded(picture)) == picture);
}

TEST_CASE("png: a flat screen of 1080x2400 stays small") {
  CHECK(encoded(test::flat(1080, 2400, 250, 250, 250)).size() < 50'000);
}

TEST_CASE("png: every cut of a file is refused, a flipped byte too or it is harmless") {
  const Picture picture = test::noise(9, 5, Channels::rgb);
  const Bytes png = encoded(picture);
  // All but the checksum of the empty IEND chunk, which nothing depends on.
  for (std::size_t length = 0; length <= png.size() - 5; ++length) {
    INFO(length);
    const auto decoded = decode_png(ByteView(png).first(length));
    CHECK_FALSE(decoded);
  }
  for (std::size_t at = 0; at < png.size(); ++at) {
    INFO(at);
    Bytes broken = png;
    broken[at] ^= std::byte{0x10};
    const auto decoded = decode_png(broken);
    if (decoded) {
      CHECK(*decoded == picture);
    } else {
      CHECK(decoded.error().code() == errc::screenshot_capture_failed);
    }
  }
}

TEST_CASE("png: a header that promises too much is refused before memory is taken") {
  // 16384 x 16384 RGB with a correct header CRC and nothing behind it.
  const std::string_view hostile(
      "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x40\0\0\0\x40\0\x08\x02\0\0\0\x26\xaa\x87\xd3", 33);
  const auto decoded = decode_png(as_bytes(hostile));
  REQUIRE_FALSE(decoded);
  CHECK(decoded.error().message().find("too large") != std::string::npos);
}
