#include "runtime/engine/ulid.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace clawperator;

TEST_CASE("ulid: time first, then chance, five bits a character", "[engine]") {
  struct Row {
    std::uint64_t milliseconds;
    std::array<std::uint8_t, 10> random;
    const char* text;
  };
  const auto row = GENERATE(values<Row>({
      {0, {}, "00000000000000000000000000"},
      {1, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, "00000000010000000000000001"},
      {0xffffffffffff,
       {255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
       "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
      // The published example: 1469918176385 ms is 01ARYZ6S41.
      {1469918176385, {}, "01ARYZ6S410000000000000000"},
      // 32 digits of five bits: 00000 00001 00010 ... in ten bytes, twice over half the alphabet.
      {0,
       {0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf},
       "00000000000123456789ABCDEF"},
  }));
  INFO(row.text);
  CHECK(encode_ulid(row.milliseconds, row.random) == row.text);
}

TEST_CASE("ulid: later ones sort later, and none comes twice", "[engine]") {
  CHECK(encode_ulid(1000, {255, 255, 255, 255, 255, 255, 255, 255, 255, 255}) <
        encode_ulid(1001, {}));
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = new_ulid();
    CHECK(text.size() == 26);
    CHECK(text.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ") == std::string::npos);
    seen.insert(text);
  }
  CHECK(seen.size() == 1000);
}
