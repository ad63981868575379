#include "base/number.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

using base::whole_number;

TEST_CASE("number: only a text that is a number through and through is one", "[unit]") {
  CHECK(whole_number<int>("0") == 0);
  CHECK(whole_number<int>("-17") == -17);
  CHECK(whole_number<int>("007") == 7);
  CHECK(whole_number<int>("1f", 16) == 31);
  CHECK(whole_number<int>("755", 8) == 493);
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "1e3", "0x1f", "one", "-", "1\n"}) {
    INFO(text);
    CHECK_FALSE(whole_number<int>(text));
  }
  CHECK_FALSE(whole_number<int>("8", 8));
  CHECK_FALSE(whole_number<unsigned>("-1"));
}

TEST_CASE("number: what does not fit is none", "[unit]") {
  CHECK(whole_number<std::uint16_t>("65535") == std::numeric_limits<std::uint16_t>::max());
  CHECK_FALSE(whole_number<std::uint16_t>("65536"));
  CHECK(whole_number<std::int64_t>("-9223372036854775808") ==
        std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(whole_number<std::int64_t>("9223372036854775808"));
}
