#include "adbproto/crypto/spake2.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "support/hex.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using adbproto::testing::from_hex;

namespace {

// The published vector's SPAKE2 key, and the AES key that follows from it.
const Bytes kSpakeKey = from_hex(
    "9fdf0b9c4de2c45f0220cccf8c3523c16c91f796609ec7cc13f6ebc08cabf97e"
    "94e604299d945c460bcee661350bb0aea2a332359f86ec91b45857327fe46545");
const Bytes kAesKey = from_hex("c0da2c78c83b49327f19b96753cac723");

PairingKey vector_key() {
  PairingKey key;
  std::ranges::copy(kAesKey, key.begin());
  return key;
}

Bytes vector_peer_info() {
  Bytes plain{std::byte{0}};
  append(plain, as_bytes("QUFBQQ== test@host"));
  plain.resize(8192);
  return plain;
}

Bytes sha256(ByteView bytes) {
  Bytes digest(SHA256_DIGEST_LENGTH);
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

Bytes first16(const Bytes& bytes) { return {bytes.begin(), bytes.begin() + 16}; }
Bytes last16(const Bytes& bytes) { return {bytes.end() - 16, bytes.end()}; }

}  // namespace

TEST_CASE("pairing cipher: the published vector gives the AES key", "[crypto]") {
  const auto key = derive_pairing_key(kSpakeKey);
  REQUIRE(key);
  CHECK(Bytes(key->begin(), key->end()) == kAesKey);
}

TEST_CASE("pairing cipher: the published vector gives the first two ciphertexts", "[crypto]") {
  PairingCipher cipher(vector_key());
  const auto zero = cipher.seal(vector_peer_info());
  const auto one = cipher.seal(vector_peer_info());
  REQUIRE(zero);
  REQUIRE(one);
  CHECK(zero->size() == 8208);
  CHECK(first16(*zero) == from_hex("0741f6bc0acb2ffa0626c46b2805aa4e"));
  CHECK(last16(*zero) == from_hex("b5c5170216aa80a6e3b59632bb2df275"));
  CHECK(sha256(*zero) ==
        from_hex("83fe80a193f444537f469dba913c60a88fb9ed4eb0955ae047d237fea274648e"));
  CHECK(first16(*one) == from_hex("a52ded30a48e9a3453aec340e9b8696b"));
  CHECK(last16(*one) == from_hex("61bbd55135103fa8aba7d740d8cfc2f0"));
  CHECK(sha256(*one) ==
        from_hex("3ddfec7aafd31c7880734f63539c06ff24dea56441c404799483be7fabb4de9e"));
}

TEST_CASE("pairing cipher: what one side seals the other opens, in order", "[crypto]") {
  PairingCipher sender(vector_key()), receiver(vector_key());
  for (const std::string_view text : {"first", "", "third"}) {
    const auto sealed = sender.seal(as_bytes(text));
    REQUIRE(sealed);
    const auto opened = receiver.open(*sealed);
    REQUIRE(opened);
    CHECK(as_text(*opened) == text);
  }
}

TEST_CASE("pairing cipher: anything else is a wrong code", "[crypto]") {
  PairingCipher sender(vector_key());
  const Bytes sealed = sender.seal(as_bytes("who I am")).value();
  const auto refused = [](PairingCipher receiver, const Bytes& bytes) {
    const auto opened = receiver.open(bytes);
    return !opened && opened.error().code() == errc::auth_pairing_failed;
  };
  SECTION("every flipped byte") {
    for (std::size_t i = 0; i < sealed.size(); ++i) {
      Bytes bent = sealed;
      bent[i] ^= std::byte{1};
      REQUIRE(refused(PairingCipher(vector_key()), bent));
    }
  }
  SECTION("every cut") {
    for (std::size_t size = 0; size < sealed.size(); ++size) {
      REQUIRE(refused(PairingCipher(vector_key()),
                      Bytes(sealed.begin(), sealed.begin() + static_cast<std::ptrdiff_t>(size))));
    }
  }
  SECTION("another key") {
    PairingKey other = vector_key();
    other[15] ^= std::byte{0x80};
    CHECK(refused(PairingCipher(other), sealed));
  }
  SECTION("out of order") { CHECK(refused(PairingCipher(vector_key()), sender.seal({}).value())); }
}
