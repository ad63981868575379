#include "runtime/image/jpeg.hpp"

#include <turbojpeg.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "unit/image/noise.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

struct Decoded {
  int width = 0, height = 0, subsampling = 0;
  std::vector<unsigned char> rgb;
};

Decoded decode(const Bytes& jpeg) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(jpeg.data());
  const tjhandle handle = tjInitDecompress();
  Decoded out;
  int colors = 0;
  REQUIRE(tjDecompressHeader3(handle, bytes, jpeg.size(), &out.width, &out.height, &out.subsampling,
                              &colors) == 0);
  out.rgb.resize(static_cast<std::size_t>(out.width * out.height * 3));
  CHECK(tjDecompress2(handle, bytes, jpeg.size(), out.rgb.data(), out.width, 0, out.height,
                      TJPF_RGB, 0) == 0);
  tjDestroy(handle);
  return out;
}

}  // namespace

TEST_CASE("jpeg: flat colours of every pixel format come back, 4:2:0") {
  using enum PixelFormat;
  struct Row {
    PixelFormat format;
    std::vector<int> pixel;
  };
  // 248, 80, 16 in each format, as near as it gets.
  const auto row = GENERATE(values<Row>({
      {rgba_8888, {248, 80, 16, 255}},
      {rgba_8888, {248, 80, 16, 0}},
      {rgbx_8888, {248, 80, 16, 7}},
      {bgra_8888, {16, 80, 248, 255}},
      {rgb_888, {248, 80, 16}},
      {rgb_565, {0x82, 0xf2}},
      {rgba_1010102, {0xe3, 0x07, 0x05, 0xc4}},
      {rgba_fp16, {0xc8, 0x3b, 0x05, 0x35, 0x05, 0x2c, 0x00, 0x3c}},
  }));
  INFO(static_cast<int>(row.format));
  Bytes pixels;
  for (int i = 0; i < 32 * 16; ++i)
    for (const int value : row.pixel) pixels.push_back(static_cast<std::byte>(value));
  const auto jpeg = encode_jpeg({32, 16, row.format, 0, pixels}, 90);
  REQUIRE(jpeg);
  const Decoded decoded = decode(*jpeg);
  CHECK(decoded.width == 32);
  CHECK(decoded.height == 16);
  CHECK(decoded.subsampling == TJSAMP_420);
  const int expected[] = {248, 80, 16};
  for (std::size_t i = 0; i < decoded.rgb.size(); ++i)
    REQUIRE(std::abs(decoded.rgb[i] - expected[i % 3]) <= 8);
}

TEST_CASE("jpeg: quality costs bytes, and only 1 to 100 is quality") {
  const Picture picture = test::noise(64, 64, Channels::rgb);
  const auto size = [&](int quality) { return encode_jpeg(picture.frame(), quality)->size(); };
  CHECK(size(20) < size(80));
  CHECK(size(80) < size(100));
  for (const int quality : {0, -1, 101}) {
    const auto jpeg = encode_jpeg(picture.frame(), quality);
    REQUIRE_FALSE(jpeg);
    CHECK(jpeg.error().code() == errc::usage);
  }
}
