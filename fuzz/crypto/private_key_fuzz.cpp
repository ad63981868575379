// Invariants: a text is a private key or invalid_argument; a key survives its own PEM, and what it
// signs, if it can, its public half verifies only for that token.

#include <cstdint>
#include <cstdlib>

#include "adbproto/crypto/rsa_key.hpp"

using namespace adbproto;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto key = RsaKey::from_pem({reinterpret_cast<const char*>(data), size});
  if (!key) {
    require(key.error().code() == errc::invalid_argument);
    return 0;
  }
  require(key->fingerprint().size() == 64);
  require(fingerprint_of(key->public_text("fuzz")) == key->fingerprint());
  const auto again = RsaKey::from_pem(key->to_pem());
  require(again && again->fingerprint() == key->fingerprint());
  const Bytes token(kTokenSize, std::byte{7});
  if (const auto signature = key->sign_token(token)) {
    require(!verify_token(key->public_text(""), Bytes(kTokenSize, std::byte{8}), *signature));
  }
  return 0;
}
