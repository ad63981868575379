#include "adbproto/wire/screencap.hpp"

#include "splits.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

const std::string kSignature = "89504e470d0a1a0a ";
// The smallest grey picture: 1x1, 8 bits.
const std::string kIhdr = "0000000d 49484452 00000001 00000001 08 00 00 00 00 3a7e9b55 ";
const std::string kIdat = "0000000a 49444154 789c6360000000020001 48afa471 ";
const std::string kIend = "00000000 49454e44 ae426082 ";
const std::string kWhole = kSignature + kIhdr + kIdat + kIend;

Result<void> verdict(ByteView bytes, std::size_t step) {
  PngChecker checker;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(step, bytes.size()));
    checker.feed(part);
    bytes = bytes.subspan(part.size());
  }
  return checker.finish();
}

}  // namespace

TEST_CASE("png check: a whole image is one, however it is cut", "[wire]") {
  const Bytes bytes = from_hex(kWhole);
  for (std::size_t step = 1; step <= bytes.size(); ++step) CHECK(verdict(bytes, step));
  PngChecker checker;
  checker.feed(bytes);
  CHECK(checker.width() == 1);
  CHECK(checker.height() == 1);
  CHECK(checker.good());
}

TEST_CASE("png check: no prefix of an image is an image", "[wire]") {
  const Bytes bytes = from_hex(kWhole);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("first " << size << " bytes");
    const auto cut = verdict(ByteView(bytes).first(size), 7);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code() == errc::protocol);
  }
}

TEST_CASE("png check: no byte of an image can change unnoticed", "[wire]") {
  Bytes bytes = from_hex(kWhole);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    INFO("byte " << i);
    bytes[i] ^= std::byte{0x01};
    CHECK_FALSE(verdict(bytes, bytes.size()));
    CHECK_FALSE(verdict(bytes, 1));
    bytes[i] ^= std::byte{0x01};
  }
}

TEST_CASE("png check: the order of the chunks matters", "[wire]") {
  struct Case {
    const char* name;
    std::string hex;
  };
  const auto [name, hex] = GENERATE(values<Case>({
      {"no IHDR", kSignature + kIdat + kIend},
      {"two IHDR", kSignature + kIhdr + kIhdr + kIdat + kIend},
      {"no IDAT", kSignature + kIhdr + kIend},
      {"bytes behind IEND", kWhole + "0a"},
      {"line breaks translated", "89504e470a1a0a" + kIhdr + kIdat + kIend},
      {"chunk of 4 GiB", kSignature + kIhdr + "ffffffff 49444154"},
      {"text instead of a picture", "4572726f723a206e6f20646973706c6179"},
  }));
  INFO(name);
  CHECK_FALSE(verdict(from_hex(hex), 1));
  CHECK_FALSE(verdict(from_hex(hex), 1000));
}

TEST_CASE("png check: unknown chunks are fine when they are whole", "[wire]") {
  // sBIT of a real Android capture: 8 8 8 8.
  const std::string sbit = "00000004 73424954 08080808 7c086488 ";
  CHECK(verdict(from_hex(kSignature + kIhdr + sbit + kIdat + kIend), 5));
}

TEST_CASE("png check: a failed image stays failed", "[wire]") {
  PngChecker checker;
  checker.feed(as_bytes("not a png"));
  CHECK_FALSE(checker.good());
  checker.feed(from_hex(kWhole));
  CHECK_FALSE(checker.finish());
}

TEST_CASE("png check: a header that announces an impossible picture is refused [S10]", "[wire]") {
  struct Case {
    const char* name;
    std::string ihdr;
  };
  const auto [name, ihdr] = GENERATE(values<Case>({
      {"2^31 pixels", "0000000d 49484452 0000b504 0000b504 08 00 00 00 00 d00b7364 "},
      {"the largest sides, ten bytes of data",
       "0000000d 49484452 00004000 00004000 08 00 00 00 00 8ca34f58 "},
      {"a million pixels, ten bytes of data",
       "0000000d 49484452 000003e8 000003e8 08 00 00 00 00 68c88b38 "},
      {"3 bits", "0000000d 49484452 00000001 00000001 03 00 00 00 00 4daeaa44 "},
      {"colour type 5", "0000000d 49484452 00000001 00000001 08 05 00 00 00 0da06b67 "},
  }));
  INFO(name);
  CHECK_FALSE(verdict(from_hex(kSignature + ihdr + kIdat + kIend), 1));
  CHECK_FALSE(verdict(from_hex(kSignature + ihdr + kIdat + kIend), 1000));
}
