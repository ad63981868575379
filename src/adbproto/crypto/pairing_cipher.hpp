#pragma once
// AES-128-GCM as pairing uses it, under a key derived from the SPAKE2 key. Each direction counts
// its messages: nonce = u64 little-endian counter, then four zero bytes; the tag (16) is appended.

#include <array>
#include <cstdint>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

using PairingKey = std::array<std::byte, 16>;

// HKDF-SHA256 without salt.
Result<PairingKey> derive_pairing_key(ByteView spake_key);

class PairingCipher {
 public:
  explicit PairingCipher(const PairingKey& key) : key_(key) {}

  Result<Bytes> seal(ByteView plain);
  // `auth_pairing_failed` when it was not sealed under this key, in this order.
  Result<Bytes> open(ByteView sealed);

 private:
  PairingKey key_;
  std::uint64_t sealed_ = 0;
  std::uint64_t opened_ = 0;
};

}  // namespace adbproto
