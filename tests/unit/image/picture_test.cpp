#include "runtime/image/picture.hpp"

#include <catch2/catch.hpp>

#include "runtime/image/errc.hpp"
#include "runtime/image/png.hpp"
#include "unit/image/noise.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

Picture through(const Picture& source, const PictureOptions& options) {
  const auto file = encode_picture(source.frame(), options);
  REQUIRE(file);
  const auto decoded = decode_png(*file);
  REQUIRE(decoded);
  return *decoded;
}

}  // namespace

TEST_CASE("picture: without options the frame itself, as PNG") {
  const Picture source = test::noise(31, 17, Channels::rgb);
  CHECK(through(source, {}) == source);
}

TEST_CASE("picture: the format decides the signature") {
  const Picture source = test::noise(31, 17, Channels::rgb);
  const Bytes png = *encode_picture(source.frame(), {.format = ImageFormat::png});
  const Bytes jpeg = *encode_picture(source.frame(), {.format = ImageFormat::jpeg});
  CHECK(as_text(png).starts_with("\x89PNG\r\n\x1a\n"));
  CHECK(as_text(jpeg).starts_with("\xff\xd8\xff"));
}

TEST_CASE("picture: max side scales down and never up") {
  const Picture source = test::flat(100, 200, 10, 20, 30);
  CHECK(through(source, {.max_side = 50}) == test::flat(25, 50, 10, 20, 30));
  CHECK(through(source, {.max_side = 200}) == source);
  CHECK(through(source, {.max_side = 5000}) == source);
}

TEST_CASE("picture: marks are drawn, after scaling and scaled with it") {
  const Picture source = test::flat(200, 400, 90, 90, 90);
  const std::vector<Mark> marks = {{4, 40, 40, 160, 360}};
  Picture expected = source;
  draw_marks(expected, marks);
  CHECK(through(source, {.marks = marks}) == expected);

  Picture small = test::flat(100, 200, 90, 90, 90);
  draw_marks(small, {{4, 20, 20, 80, 180}});
  CHECK(through(source, {.max_side = 200, .marks = marks}) == small);
}

TEST_CASE("picture: options out of range are usage errors, a broken frame is a failed capture") {
  const Picture source = test::flat(4, 4, 1, 1, 1);
  const auto code = [](const adbproto::RawFrame& frame, const PictureOptions& options) {
    const auto file = encode_picture(frame, options);
    REQUIRE_FALSE(file);
    return file.error().code();
  };
  CHECK(code(source.frame(), {.quality = 0}) == errc::usage);
  CHECK(code(source.frame(), {.quality = 101}) == errc::usage);
  CHECK(code(source.frame(), {.max_side = 0}) == errc::usage);
  CHECK(code(source.frame(), {.marks = std::vector<Mark>(kMaxMarks + 1)}) == errc::usage);
  adbproto::RawFrame cut = source.frame();
  cut.pixels = cut.pixels.first(47);
  CHECK(code(cut, {}) == errc::screenshot_capture_failed);
  CHECK(code({}, {}) == errc::screenshot_capture_failed);
}
