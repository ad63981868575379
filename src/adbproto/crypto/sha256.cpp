#include "adbproto/crypto/sha256.hpp"

#include <sodium.h>

namespace adbproto {

struct Sha256::State {
  crypto_hash_sha256_state hash;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { crypto_hash_sha256_init(&state_->hash); }

Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::update(ByteView piece) {
  crypto_hash_sha256_update(&state_->hash, as_unsigned(piece), piece.size());
}

std::string Sha256::finish() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&state_->hash, digest.data());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text{};
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  return text.data();
}

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.update(as_bytes(text));
  return hash.finish();
}

}  // namespace adbproto
