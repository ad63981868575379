#include "adbproto/wire/screencap.hpp"

#include "simdroid/userland/screencap_file.hpp"
#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

const std::string kTwoByOne = "02000000 01000000 01000000 ";
const std::string kPixels = "010203ff 040506ff";

}  // namespace

TEST_CASE("screencap: the length decides the header", "[wire]") {
  const Bytes with_colorspace = from_hex(kTwoByOne + "02000000" + kPixels);
  const Bytes without = from_hex(kTwoByOne + kPixels);
  for (const auto& bytes : {with_colorspace, without}) {
    const auto frame = decode_screencap(bytes);
    REQUIRE(frame);
    CHECK(frame->width == 2);
    CHECK(frame->height == 1);
    CHECK((frame->format == PixelFormat::rgba_8888));
    CHECK((Bytes(frame->pixels.begin(), frame->pixels.end()) == from_hex(kPixels)));
  }
  CHECK(decode_screencap(with_colorspace)->colorspace == 2);
  CHECK(decode_screencap(without)->colorspace == 0);
}

TEST_CASE("screencap: the pixel formats of Android", "[wire]") {
  struct Case {
    std::uint32_t format;
    std::size_t bytes;
  };
  const auto [format, bytes] = GENERATE(
      values<Case>({{1, 4}, {2, 4}, {3, 3}, {4, 2}, {5, 4}, {0x16, 8}, {0x2b, 4}, {0, 0}, {7, 0}}));
  CHECK(bytes_per_pixel(static_cast<PixelFormat>(format)) == bytes);
}

TEST_CASE("screencap: the first 16 bytes contain how long the capture will be", "[wire]") {
  CHECK(
      (expected_screencap_size(from_hex(kTwoByOne + "01000000")).value() == ScreencapSize{8, 24}));
  CHECK(
      (expected_screencap_size(from_hex(kTwoByOne + "010203ff")).value() == ScreencapSize{8, 20}));
}

TEST_CASE("screencap: a capture that is not whole or not sane is refused", "[wire]") {
  struct Case {
    const char* name;
    std::string hex;
    Errc code;
  };
  const auto [name, hex, code] = GENERATE(values<Case>({
      {"nothing", "", errc::protocol},
      {"half a header", "02000000 01000000", errc::protocol},
      {"no pixels", kTwoByOne + "00000000", errc::protocol},
      {"one byte short", kTwoByOne + "00000000 010203ff 040506", errc::protocol},
      {"one byte more", kTwoByOne + "00000000 010203ff 040506ff 00", errc::protocol},
      {"between both headers", kTwoByOne + "0000 010203ff 040506ff", errc::protocol},
      {"no width", "00000000 01000000 01000000 00000000", errc::protocol},
      {"no height", "01000000 00000000 01000000 00000000", errc::protocol},
      {"unknown format", "01000000 01000000 07000000 00000000", errc::protocol},
      {"side of 16385", "01400000 01000000 01000000 00000000", errc::limit},
      {"sides of 4 Gi", "ffffffff ffffffff 01000000 00000000", errc::limit},
  }));
  INFO(name);
  const auto frame = decode_screencap(from_hex(hex));
  REQUIRE_FALSE(frame);
  CHECK(frame.error().code() == code);
}

TEST_CASE("screencap: both headers are encoded", "[wire]") {
  const Bytes pixels = from_hex(kPixels);
  const RawFrame frame{2, 1, PixelFormat::rgba_8888, 1, pixels};
  CHECK((encode_screencap(frame) == from_hex(kTwoByOne + "01000000" + kPixels)));
  CHECK((encode_screencap(frame, ScreencapHeader::words_3) == from_hex(kTwoByOne + kPixels)));
}

TEST_CASE("screencap: the picture begins behind lines of text", "[wire][C8]") {
  const Bytes frame = from_hex(kTwoByOne + "01000000" + kPixels);
  const Bytes png = from_hex("89504e470d0a1a0a 0000");
  const std::string words = "WARNING: linker: x\r\n[Warning] Multiple displays were found\n";
  Bytes warned = to_bytes(words);
  append(warned, frame);
  CHECK(find_raw_frame(frame) == 0u);
  CHECK(find_raw_frame(warned) == words.size());
  CHECK_FALSE(find_raw_frame(to_bytes(words)));
  CHECK_FALSE(find_raw_frame(ByteView(warned).first(words.size() + 11)));
  warned = to_bytes(words);
  append(warned, png);
  CHECK(find_png(png) == 0u);
  CHECK(find_png(warned) == words.size());
  CHECK_FALSE(find_png(ByteView(warned).first(words.size() + 7)));
  CHECK_FALSE(find_png({}));
}
