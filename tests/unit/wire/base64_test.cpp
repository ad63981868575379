#include "adbproto/wire/base64.hpp"

#include <catch2/catch.hpp>

using namespace adbproto;

TEST_CASE("base64: the examples of RFC 4648") {
  struct Row {
    std::string plain, coded;
  };
  const auto row = GENERATE(values<Row>({{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}}));
  CHECK(encode_base64(as_bytes(row.plain)) == row.coded);
  CHECK(decode_base64(row.coded) == to_bytes(row.plain));
}

TEST_CASE("base64: what is no whole group is refused") {
  for (const std::string bad : {"Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "Zm9v!", "Zm 9", "Zg=v"}) {
    CAPTURE(bad);
    CHECK_FALSE(decode_base64(bad));
  }
}
