#include "runtime/image/frame.hpp"

#include <catch2/catch.hpp>

#include "runtime/image/errc.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

Bytes bytes(std::initializer_list<int> values) {
  Bytes out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

RawFrame frame_of(PixelFormat format, std::uint32_t width, std::uint32_t height,
                  const Bytes& pixels) {
  return {.width = width, .height = height, .format = format, .colorspace = 0, .pixels = pixels};
}

}  // namespace

TEST_CASE("frame: a known pixel of every format") {
  struct Row {
    std::string name;
    PixelFormat format;
    Bytes pixel, rgba;
  };
  using enum PixelFormat;
  const auto row = GENERATE(values<Row>({
      {"rgba", rgba_8888, bytes({1, 2, 3, 4}), bytes({1, 2, 3, 4})},
      {"rgbx ignores the fourth", rgbx_8888, bytes({1, 2, 3, 4}), bytes({1, 2, 3, 255})},
      {"rgb", rgb_888, bytes({9, 8, 7}), bytes({9, 8, 7, 255})},
      {"bgra", bgra_8888, bytes({1, 2, 3, 4}), bytes({3, 2, 1, 4})},
      {"565 red", rgb_565, bytes({0x00, 0xf8}), bytes({255, 0, 0, 255})},
      {"565 green", rgb_565, bytes({0xe0, 0x07}), bytes({0, 255, 0, 255})},
      {"565 blue", rgb_565, bytes({0x1f, 0x00}), bytes({0, 0, 255, 255})},
      // red 16 of 31 is 131.6, green 32 of 63 is 129.5, blue 1 of 31 is 8.2
      {"565 in between", rgb_565, bytes({0x01, 0x84}), bytes({132, 130, 8, 255})},
      // 1023, 0, 512 of 1023 and 3 of 3: ff 03 00 e0
      {"1010102", rgba_1010102, bytes({0xff, 0x03, 0x00, 0xe0}), bytes({255, 0, 128, 255})},
      // 1 of 1023 rounds to 0; green 1023; alpha 1 of 3 is 85
      {"1010102 see-through", rgba_1010102, bytes({0x01, 0xfc, 0x0f, 0x40}),
       bytes({0, 255, 0, 85})},
      // 1.0 0.5 0.0 1.0
      {"fp16", rgba_fp16, bytes({0x00, 0x3c, 0x00, 0x38, 0x00, 0x00, 0x00, 0x3c}),
       bytes({255, 128, 0, 255})},
      // 2.0 and infinity clamp to 1, -1 to 0, 0.25 is 63.75
      {"fp16 out of range", rgba_fp16, bytes({0x00, 0x40, 0x00, 0xbc, 0x00, 0x7c, 0x00, 0x34}),
       bytes({255, 0, 255, 64})},
      // NaN, smallest subnormal, negative NaN, 0.75
      {"fp16 odd", rgba_fp16, bytes({0x01, 0x7e, 0x01, 0x00, 0x01, 0xfe, 0x00, 0x3a}),
       bytes({0, 0, 0, 191})},
  }));
  INFO(row.name);
  const RawFrame frame = frame_of(row.format, 1, 1, row.pixel);
  REQUIRE(check_frame(frame));
  CHECK(to_picture(frame, Channels::rgba).pixels == row.rgba);
  CHECK(to_picture(frame, Channels::rgb).pixels == Bytes(row.rgba.begin(), row.rgba.end() - 1));
}

TEST_CASE("frame: rows come out one by one, in place") {
  const Bytes pixels = bytes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const RawFrame frame = frame_of(PixelFormat::rgb_888, 2, 2, pixels);
  Bytes row(8);
  convert_row(frame, 1, Channels::rgba, row);
  CHECK(row == bytes({7, 8, 9, 255, 10, 11, 12, 255}));
  const Picture picture = to_picture(frame, Channels::rgb);
  CHECK(picture.pixels == pixels);
  CHECK(picture.frame().format == PixelFormat::rgb_888);
  CHECK(to_picture(picture.frame(), Channels::rgba).frame().format == PixelFormat::rgba_8888);
}

TEST_CASE("frame: what is no frame is refused") {
  struct Row {
    std::string name;
    std::uint32_t format, width, height;
    std::size_t size;
  };
  const auto row = GENERATE(values<Row>({
      {"unknown format", 6, 1, 1, 4},
      {"format zero", 0, 1, 1, 4},
      {"no width", 1, 0, 1, 0},
      {"no height", 1, 1, 0, 0},
      {"one byte short", 1, 2, 2, 15},
      {"one byte more", 1, 2, 2, 17},
      {"too wide", 1, 16385, 1, 4 * 16385},
      {"sizes that overflow 32 bits", 1, 65536, 65536, 0},
      {"sizes of all ones", 1, 0xffffffff, 0xffffffff, 4},
  }));
  INFO(row.name);
  const Bytes pixels(row.size);
  const auto checked =
      check_frame(frame_of(static_cast<PixelFormat>(row.format), row.width, row.height, pixels));
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code() == errc::screenshot_capture_failed);
}

TEST_CASE("frame: opaque unless one pixel lets something through") {
  using enum PixelFormat;
  const auto opaque = [](PixelFormat format, std::initializer_list<int> two_pixels) {
    const Bytes pixels = bytes(two_pixels);
    return is_opaque(frame_of(format, 2, 1, pixels));
  };
  CHECK(opaque(rgba_8888, {0, 0, 0, 255, 9, 9, 9, 255}));
  CHECK_FALSE(opaque(rgba_8888, {0, 0, 0, 255, 9, 9, 9, 254}));
  CHECK_FALSE(opaque(bgra_8888, {0, 0, 0, 0, 9, 9, 9, 255}));
  CHECK(opaque(rgbx_8888, {0, 0, 0, 0, 0, 0, 0, 0}));
  CHECK(opaque(rgb_888, {0, 0, 0, 0, 0, 0}));
  CHECK(opaque(rgb_565, {0, 0, 0, 0}));
  CHECK(opaque(rgba_1010102, {0, 0, 0, 0xc0, 0, 0, 0, 0xff}));
  CHECK_FALSE(opaque(rgba_1010102, {0, 0, 0, 0x80, 0, 0, 0, 0xc0}));
  CHECK_FALSE(opaque(rgba_fp16, {0, 0, 0, 0, 0, 0, 0, 0x3c, 0, 0, 0, 0, 0, 0, 0, 0x38}));
}

TEST_CASE("frame: all black whatever the alpha, not with a single lit channel") {
  using enum PixelFormat;
  CHECK(is_all_black(frame_of(rgba_8888, 2, 1, bytes({0, 0, 0, 255, 0, 0, 0, 0}))));
  CHECK_FALSE(is_all_black(frame_of(rgba_8888, 2, 1, bytes({0, 0, 0, 255, 0, 0, 1, 255}))));
  CHECK(is_all_black(frame_of(rgb_565, 1, 2, bytes({0, 0, 0, 0}))));
  CHECK_FALSE(is_all_black(frame_of(rgb_565, 1, 2, bytes({0, 0, 1, 0}))));
}
