#include "adbproto/wire/framebuffer.hpp"

#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

// red, blue, green, alpha of RGBA8888
const std::string kColors =
    "00000000 08000000 10000000 08000000 08000000 08000000 18000000 08000000";
const std::string kV1 = "01000000 20000000 08000000 02000000 01000000 " + kColors;
const std::string kV2 = "02000000 20000000 01000000 08000000 02000000 01000000 " + kColors;

}  // namespace

TEST_CASE("framebuffer: headers of both versions", "[wire]") {
  for (const auto& [hex, version, colorspace] :
       {std::tuple{kV1, 1u, 0u}, std::tuple{kV2, 2u, 1u}}) {
    INFO("version " << version);
    const auto header = decode_framebuffer_header(from_hex(hex));
    REQUIRE(header.value());
    const FramebufferHeader expected{.version = version,
                                     .bits_per_pixel = 32,
                                     .colorspace = colorspace,
                                     .size = 8,
                                     .width = 2,
                                     .height = 1,
                                     .red = {0, 8},
                                     .blue = {16, 8},
                                     .green = {8, 8},
                                     .alpha = {24, 8}};
    CHECK((**header == expected));
    CHECK((encode_framebuffer_header(expected) == from_hex(hex)));
    CHECK(expected.encoded_size() == from_hex(hex).size());
    CHECK((pixel_format(expected) == PixelFormat::rgba_8888));
  }
}

TEST_CASE("framebuffer: the legacy header means RGB565", "[wire]") {
  const auto header = decode_framebuffer_header(from_hex("10000000 04000000 02000000 01000000"));
  REQUIRE(header.value());
  CHECK((*header)->bits_per_pixel == 16);
  CHECK((pixel_format(**header) == PixelFormat::rgb_565));
}

TEST_CASE("framebuffer: no prefix of a header is an error", "[wire]") {
  const Bytes whole = from_hex(kV2);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto header = decode_framebuffer_header(ByteView(whole).first(size));
    REQUIRE(header);
    CHECK_FALSE(*header);
  }
}

TEST_CASE("framebuffer: headers that cannot be true are refused", "[wire]") {
  struct Case {
    const char* name;
    std::string hex;
    Errc code;
  };
  const auto [name, hex, code] = GENERATE(values<Case>({
      {"unknown version", "03000000", errc::protocol},
      {"size too small", "01000000 20000000 07000000 02000000 01000000 " + kColors, errc::protocol},
      {"size of 4 GiB", "01000000 20000000 ffffffff 02000000 01000000 " + kColors, errc::protocol},
      {"no pixels", "01000000 20000000 00000000 00000000 01000000 " + kColors, errc::protocol},
      {"64 bits", "01000000 40000000 10000000 02000000 01000000 " + kColors, errc::protocol},
      {"side of 16385", "01000000 20000000 04000100 01400000 01000000 " + kColors, errc::limit},
  }));
  INFO(name);
  const auto header = decode_framebuffer_header(from_hex(hex));
  REQUIRE_FALSE(header);
  CHECK(header.error().code() == code);
}

TEST_CASE("framebuffer: a format describes itself", "[wire]") {
  for (const auto format : {PixelFormat::rgba_8888, PixelFormat::rgbx_8888, PixelFormat::rgb_888,
                            PixelFormat::rgb_565, PixelFormat::bgra_8888}) {
    const auto header = framebuffer_header(format, 3, 2);
    REQUIRE(header);
    CHECK(header->size == 6 * bytes_per_pixel(format));
    CHECK((pixel_format(*header) == format));
    CHECK(decode_framebuffer_header(encode_framebuffer_header(*header)).value());
  }
  CHECK_FALSE(framebuffer_header(PixelFormat::rgba_fp16, 3, 2));
}
