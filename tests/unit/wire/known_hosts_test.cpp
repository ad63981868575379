#include "adbproto/wire/pairing.hpp"

#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "unit/wire/splits.hpp"

using namespace adbproto;
using adbproto::testing::concat;
using adbproto::testing::from_hex;

using Guids = std::vector<std::string>;

TEST_CASE("known hosts: an entry is as adb writes it", "[wire]") {
  CHECK(encode_known_host("adb-SIM0001-abcdef") ==
        concat({from_hex("0a 14 0a 12"), to_bytes("adb-SIM0001-abcdef")}));
}

TEST_CASE("known hosts: lengths above 127 take two bytes", "[wire]") {
  const std::string guid(300, 'g');
  CHECK(encode_known_host(guid) == concat({from_hex("0a af02 0a ac02"), to_bytes(guid)}));
  CHECK(parse_known_hosts(encode_known_host(guid)) == Guids{guid});
}

TEST_CASE("known hosts: files are lists of entries", "[wire]") {
  CHECK(parse_known_hosts({}) == Guids{});
  CHECK(parse_known_hosts(concat({encode_known_host("one"), encode_known_host("two")})) ==
        Guids{"one", "two"});
}

TEST_CASE("known hosts: fields of later versions are skipped", "[wire]") {
  struct Case {
    const char* name;
    Bytes bytes;
  };
  const auto row = GENERATE(values<Case>({
      {"a varint", from_hex("10 ffffffffffffffffff01")},
      {"eight bytes", from_hex("19 0102030405060708")},
      {"four bytes", from_hex("25 01020304")},
      {"bytes of another number", from_hex("12 03 616263")},
      {"field 1 of another type", from_hex("08 05")},
      {"a host without guid", from_hex("0a 00")},
      {"a host with more than a guid, but no guid", from_hex("0a 02 10 01")},
  }));
  INFO(row.name);
  const Bytes file = concat({encode_known_host("before"), row.bytes, encode_known_host("after")});
  CHECK(parse_known_hosts(file) == Guids{"before", "after"});
}

TEST_CASE("known hosts: a damaged file is an error", "[wire]") {
  struct Case {
    const char* name;
    const char* hex;
  };
  const auto row = GENERATE(values<Case>({
      {"a tag alone", "0a"},
      {"a length beyond the end", "0a 05 0a 03"},
      {"an inner length beyond its message", "0a 03 0a 05 61"},
      {"a length of 2^64 - 1", "0a ffffffffffffffffff01"},
      {"a varint without end", "0a ffffffffffffffffffffffffff"},
      {"a group", "0b"},
      {"wire type 7", "0f"},
      {"four bytes, cut", "25 010203"},
  }));
  INFO(row.name);
  const auto parsed = parse_known_hosts(from_hex(row.hex));
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code() == errc::protocol);
}

TEST_CASE("known hosts: a file is bounded", "[wire]") {
  const auto parsed = parse_known_hosts(Bytes(kMaxKnownHostsFile + 1));
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().code() == errc::limit);
}
