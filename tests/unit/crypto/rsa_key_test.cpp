#include "adbproto/crypto/rsa_key.hpp"

#include <catch2/catch.hpp>

#include "support/hex.hpp"
#include "support/print_result.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

RsaKey fixed_key(std::string_view pem = kKeyPem) {
  auto key = RsaKey::from_pem(pem);
  REQUIRE(key);
  return *std::move(key);
}

Bytes counting_token() { return from_hex("000102030405060708090a0b0c0d0e0f10111213"); }

constexpr std::string_view kSmallKey =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALU/fDW0ubVqFygY\n"
    "kCQ4/qklg05/Vnx7f89IAdRDbHVRDkv43UV2XMXnVLd2Yugs25svFRpZvE/5McKT\n"
    "vI5NirbcE4lOi5+Cvyr4zAq7HvpFlqFDLCiae1gCVv93eKt6BVRHsA+QLhyQdpRa\n"
    "T2zYi6zTNGUd/lXbbzaAx24suJrLAgMBAAECgYAJqExSAEM062Y4eLaVd4P6N0l7\n"
    "0UUmdN4miUuvp7gLuDnuyl/f56Kh2OWmsOQsQteguS2Cre1exYRlPcH6Qx907+hc\n"
    "QII3duix838oW5DA/dstLteq0TQ8ZYVE4zhkk1XtnL4vVyifQTRdGy9fCp5dkSCk\n"
    "em0F4VLjEotzCgRYAQJBANj2c9u+9eD8zedeG/o8zTep0syl8yHcX2PC95NmzT49\n"
    "rJ1C1hv09Ryn+xJkP0Tu/0xd0HMN8Ypd284Jjw+e9wECQQDV2/jwtmDTTi1BcJUd\n"
    "d2UqW23WpSu69oh469OocqcfvQdcJV/FKSRi07UsBpRbyv8VxzbmEFUwdjNMgjo0\n"
    "T73LAkEAkU82t4VE/mOyr/PqvwU72L0HrwKyPQpwZMtury1Z5wa9djIOXnkINSIY\n"
    "WPAFI/EB0a6/bl93V1mXXn4ub6LjAQJAevTuO/ef092ux2EjWr26vI+0pyRv8B6u\n"
    "eFeeacsBq43THXefiIwPD4MJNzbRNbWQ08SmG8BoOmS7OdHmBQ2T4QJAGUsEQn1P\n"
    "NulPpFi+5ZDcDj6WB1TKQ/QM6bm8gE0AkARiT9mJn7TuvN/LqlQjhCTpfdaYBsp1\n"
    "DDReL2pmou0JxA==\n"
    "-----END PRIVATE KEY-----\n";
constexpr std::string_view kEcKey =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxgJXpl4Ij6yo2QSp\n"
    "PUfyZkSZ2tbzCWTT4/LHC0z4YGKhRANCAATcs9H5+AC+JrxBuEkK0g+P1gmnLxYo\n"
    "1cjfZUMXwHnoI9DK2A2G/wHQmsph9nUmPhq7ZuoptcvIvnmb2I9udXzM\n"
    "-----END PRIVATE KEY-----\n";
constexpr std::string_view kEncryptedKey =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiBJ33W51hiFAICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEDfO9hQR1oG0j6zq0gJ8bNAEgZBt\n"
    "9HlFCnTmiICx2l4vjCNu/glwcVGpjeJXAbOLII6I1wviuv3qBA66HDSbOd8Vbi+l\n"
    "ri97UGEczL9+YOR+loi9G/0OU3T6S9pFKEQqKtvV3ei6N01F6Xi1xD3YuDUp+Xqh\n"
    "VArG9m2QOOiNFBdAdkC0+WaizUwyK1X1SgwQ8a0kbBp8myU/uyCMPM1DNBXuP9w=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

}  // namespace

TEST_CASE("rsa key: a token's signature is what openssl signs as a SHA-1 digest", "[crypto]") {
  const auto signature = fixed_key().sign_token(counting_token());
  REQUIRE(signature);
  CHECK((*signature == from_hex(kKeySignature)));
}

TEST_CASE("rsa key: PKCS#1 and PKCS#8 hold the same key", "[crypto]") {
  const RsaKey key = fixed_key(GENERATE(kKeyPem, kKeyPkcs1Pem));
  CHECK(key.fingerprint() == kKeyFingerprint);
  CHECK(key.to_pem() == kKeyPem);
  CHECK(key.public_text("me@here") == std::string(kKeyPublicBase64) + " me@here");
  CHECK(fingerprint_of(key.public_text("")) == std::string(kKeyFingerprint));
}

TEST_CASE("rsa key: only a token of 20 bytes is signed", "[crypto]") {
  const RsaKey key = fixed_key();
  for (const std::size_t size : {0u, 19u, 21u, 256u}) {
    const auto refused = key.sign_token(Bytes(size));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::invalid_argument);
  }
}

TEST_CASE("rsa key: what is no RSA-2048 private key is refused without quoting it", "[crypto]") {
  struct Case {
    const char* name;
    std::string pem;
  };
  const std::string whole(kKeyPem);
  std::string flipped = whole;
  flipped[100] = '!';
  const auto exponent = whole.find("AgMBAAE");  // 02 03 01 00 01: 65537
  REQUIRE(exponent != whole.npos);
  const std::string even = std::string(whole).replace(exponent, 7, "AgMBAAA");
  const auto row = GENERATE_COPY(values<Case>({
      {"nothing", ""},
      {"text", "hello"},
      {"1024 bits", std::string(kSmallKey)},
      {"an elliptic curve", std::string(kEcKey)},
      {"a passphrase, which is not asked for", std::string(kEncryptedKey)},
      {"cut", whole.substr(0, whole.size() / 2)},
      {"a digit that is none", flipped},
      {"an even exponent", even},
      {"its public half", std::string(kKeyPublicBase64)},
      {"far too long", whole + std::string(100'000, '\n')},
  }));
  INFO(row.name);
  const auto key = RsaKey::from_pem(row.pem);
  REQUIRE_FALSE(key);
  CHECK(key.error().code() == errc::invalid_argument);
  CHECK(key.error().message().find("MII") == std::string::npos);
}

TEST_CASE("rsa key: a new key survives its PEM and signs what its public half verifies",
          "[crypto]") {
  const auto made = RsaKey::generate();
  REQUIRE(made);
  const RsaKey key = fixed_key(made->to_pem());
  CHECK(key.fingerprint() == made->fingerprint());
  CHECK(key.fingerprint() != kKeyFingerprint);
  const auto signature = key.sign_token(counting_token());
  REQUIRE(signature);
  CHECK(verify_token(made->public_text("x"), counting_token(), *signature));
}

TEST_CASE("verify token: one changed bit anywhere is refused", "[crypto]") {
  const std::string text = std::string(kKeyPublicBase64) + " me@here";
  const Bytes token = counting_token();
  const Bytes signature = from_hex(kKeySignature);
  CHECK(verify_token(text, token, signature));
  Bytes other_token = token;
  other_token[19] ^= std::byte{1};
  CHECK_FALSE(verify_token(text, other_token, signature));
  Bytes other_signature = signature;
  other_signature[255] ^= std::byte{1};
  CHECK_FALSE(verify_token(text, token, other_signature));
  CHECK_FALSE(verify_token(text, token, ByteView(signature).first(255)));
  CHECK_FALSE(verify_token(text, ByteView(token).first(19), signature));
  CHECK_FALSE(verify_token(text, token, {}));
  CHECK_FALSE(verify_token("no key", token, signature));
  CHECK_FALSE(verify_token(RsaKey::generate()->public_text(""), token, signature));
}
