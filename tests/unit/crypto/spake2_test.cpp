#include "adbproto/crypto/spake2.hpp"

#include <catch2/catch.hpp>

#include "support/hex.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using adbproto::testing::from_hex;

namespace {

// The published vector: code 592781, exported material 00..3f, alice's random 00..3f, bob's ff..c0.
Bytes counting_up() {
  Bytes bytes;
  for (int i = 0; i < 64; ++i) bytes.push_back(static_cast<std::byte>(i));
  return bytes;
}

Bytes vector_password() {
  Bytes password = to_bytes("592781");
  append(password, counting_up());
  return password;
}

SpakeRandom alice_random() {
  SpakeRandom random;
  for (std::size_t i = 0; i < random.size(); ++i) random[i] = static_cast<std::byte>(i);
  return random;
}

SpakeRandom bob_random() {
  SpakeRandom random;
  for (std::size_t i = 0; i < random.size(); ++i) random[i] = static_cast<std::byte>(0xff - i);
  return random;
}

const Bytes kVectorKey = from_hex(
    "9fdf0b9c4de2c45f0220cccf8c3523c16c91f796609ec7cc13f6ebc08cabf97e"
    "94e604299d945c460bcee661350bb0aea2a332359f86ec91b45857327fe46545");

Bytes bytes_of(const auto& fixed) { return {fixed.begin(), fixed.end()}; }

}  // namespace

TEST_CASE("spake2: the published vector gives both messages and the key", "[crypto]") {
  const Spake2 alice(SpakeSide::alice, vector_password(), alice_random());
  const Spake2 bob(SpakeSide::bob, vector_password(), bob_random());
  CHECK(bytes_of(alice.message()) ==
        from_hex("c25e2fe7d2eac235c4c037bbcdc60747e8272c63bd8475a790abfcc5f5bdba62"));
  CHECK(bytes_of(bob.message()) ==
        from_hex("d5687941ec84c4eeeaed6db81d1ef6afb3dba0ab013489a90a298acf6d3af035"));
  const auto at_alice = alice.key(bob.message());
  const auto at_bob = bob.key(alice.message());
  REQUIRE(at_alice);
  REQUIRE(at_bob);
  CHECK(bytes_of(*at_alice) == kVectorKey);
  CHECK(bytes_of(*at_bob) == kVectorKey);
}

TEST_CASE("spake2: both sides agree whatever the password and the randomness", "[crypto]") {
  for (int round = 0; round < 24; ++round) {
    const Bytes password = to_bytes("code " + std::to_string(round));
    const Spake2 alice(SpakeSide::alice, password, fresh_spake_random());
    const Spake2 bob(SpakeSide::bob, password, fresh_spake_random());
    const auto key = alice.key(bob.message());
    REQUIRE(key);
    REQUIRE(bob.key(alice.message()) == key);
  }
}

TEST_CASE("spake2: another password is another key, with no error", "[crypto]") {
  const Spake2 alice(SpakeSide::alice, as_bytes("592781"), alice_random());
  const Spake2 bob(SpakeSide::bob, as_bytes("592782"), bob_random());
  const auto at_alice = alice.key(bob.message());
  const auto at_bob = bob.key(alice.message());
  REQUIRE(at_alice);
  REQUIRE(at_bob);
  CHECK(*at_alice != *at_bob);
}

TEST_CASE("spake2: a message that is no usable point is refused", "[crypto]") {
  struct Case {
    const char* name;
    Bytes message;
  };
  const Spake2 alice(SpakeSide::alice, vector_password(), alice_random());
  const auto row = GENERATE_REF(values<Case>({
      {"nothing", {}},
      {"31 bytes", Bytes(31)},
      {"33 bytes", Bytes(33)},
      {"y = 2, not on the curve",
       from_hex("0200000000000000000000000000000000000000000000000000000000000000")},
      {"the mask alone, which hides no point",
       bytes_of(Spake2(SpakeSide::bob, vector_password(), SpakeRandom{}).message())},
  }));
  INFO(row.name);
  const auto key = alice.key(row.message);
  REQUIRE_FALSE(key);
  CHECK(key.error().code() == errc::protocol);
}
