#include "adbproto/wire/adb_public_key.hpp"

#include <catch2/catch.hpp>

#include "support/hex.hpp"
#include "support/print_result.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

AdbPublicKeyLine known_key() {
  auto line = parse_adb_public_key_line(kKeyPublicBase64);
  REQUIRE(line);
  return *std::move(line);
}

// n * rr^-1 and the like would need big numbers; 2^k - 1 needs none: there 2^4096 mod n is 2^(4096
// mod 2048) = 1 for n = 2^2048 - 1, and -1/n = 1.
AdbPublicKey all_ones() {
  AdbPublicKey key;
  key.modulus.fill(std::byte{0xff});
  return key;
}

}  // namespace

TEST_CASE("adb public key: the blob's layout for a modulus that can be computed by hand",
          "[wire]") {
  Bytes expected = from_hex("40000000 01000000");
  expected.resize(8 + 256, std::byte{0xff});
  append(expected, from_hex("01"));
  expected.resize(8 + 256 + 256);
  append(expected, from_hex("01000100"));
  CHECK((encode_adb_public_key(all_ones()) == expected));
}

TEST_CASE("adb public key: n0inv and rr of a real modulus are those of Python's arithmetic",
          "[wire]") {
  CHECK(encode_adb_public_key_line(known_key()) == kKeyPublicBase64);
  const Bytes blob = encode_adb_public_key(known_key().key);
  const auto n0 = load_le<std::uint32_t>(&blob[8]);
  const auto n0inv = load_le<std::uint32_t>(&blob[4]);
  CHECK(n0 * n0inv == 0xffffffffu);
}

TEST_CASE("adb public key: exponents other than 65537 are kept", "[wire]") {
  AdbPublicKey key = all_ones();
  key.exponent = 3;
  CHECK(decode_adb_public_key(encode_adb_public_key(key)) == key);
}

TEST_CASE("adb public key: n0inv and rr follow from the modulus, whatever is written", "[wire]") {
  Bytes blob = encode_adb_public_key(all_ones());
  blob[4] = std::byte{7};
  blob[300] = std::byte{7};
  CHECK(decode_adb_public_key(blob) == all_ones());
}

TEST_CASE("adb public key: what cannot be a key is refused", "[wire]") {
  struct Case {
    const char* name;
    std::size_t at;
    std::uint8_t value;
  };
  const auto row = GENERATE(values<Case>({
      {"another number of words", 0, 63},
      {"many words", 3, 1},
      {"an even modulus", 8, 0xfe},
      {"a short modulus", 8 + 255, 0x7f},
      {"an even exponent", 520, 0},
  }));
  INFO(row.name);
  Bytes blob = encode_adb_public_key(all_ones());
  blob[row.at] = std::byte{row.value};
  const auto key = decode_adb_public_key(blob);
  REQUIRE_FALSE(key);
  CHECK(key.error().code() == errc::protocol);
}

TEST_CASE("adb public key: every other size is refused", "[wire]") {
  const Bytes blob = encode_adb_public_key(all_ones());
  for (std::size_t size = 0; size < blob.size(); ++size) {
    CHECK_FALSE(decode_adb_public_key(ByteView(blob).first(size)));
  }
  Bytes longer = blob;
  longer.push_back(std::byte{});
  CHECK_FALSE(decode_adb_public_key(longer));
}

TEST_CASE("adb public key line: the comment, the NUL and the end of line", "[wire]") {
  const std::string key(kKeyPublicBase64);
  struct Case {
    const char* name;
    std::string text;
    std::string comment;
  };
  const auto row = GENERATE_COPY(values<Case>({
      {"a file", key + " user@host\n", "user@host"},
      {"on the wire", key + " user@host" + std::string(1, '\0'), "user@host"},
      {"nothing behind", key, ""},
      {"only a blank", key + " ", ""},
      {"a comment of two words", key + "  my key\r\n", "my key"},
      {"rubbish after the NUL", key + " a" + std::string(1, '\0') + "b", "a"},
  }));
  INFO(row.name);
  const auto line = parse_adb_public_key_line(row.text);
  REQUIRE(line);
  CHECK(line->key == known_key().key);
  CHECK(line->comment == row.comment);
}

TEST_CASE("adb public key line: what is no base64 of a key is refused", "[wire]") {
  const std::string key(kKeyPublicBase64);
  const auto text = GENERATE_COPY(
      values<std::string>({"", " ", "user@host", key.substr(4), key.substr(0, 699), key + "AAAA",
                           key.substr(0, 100) + "=" + key.substr(101), "!" + key.substr(1),
                           key.substr(0, 698) + "==", std::string(5000, 'A')}));
  CHECK_FALSE(parse_adb_public_key_line(text));
}
