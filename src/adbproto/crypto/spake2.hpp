#pragma once
// SPAKE2 on edwards25519 as adb's pairing uses it (BoringSSL's variant). Two sides that share a
// password agree on a key. A wrong guess reveals only that it is wrong.
//
//   h = SHA512(password)      w = h mod l, made a multiple of 8 by adding l, 2l, 4l
//   alice sends X = x*B + w*M            bob sends Y = y*B + w*N         (32 bytes each)
//   alice: K = x*(Y - w*N)               bob: K = y*(X - w*M)
//   key = SHA512(names, messages, K, h; each behind its length as u64 little endian)

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class SpakeSide { alice, bob };  // alice is the host

using SpakeRandom = std::array<std::byte, 64>;
using SpakePoint = std::array<std::byte, 32>;
using SpakeKey = std::array<std::byte, 64>;

SpakeRandom fresh_spake_random();

class Spake2 {
 public:
  // `random` determines the private value: never use it twice.
  Spake2(SpakeSide side, ByteView password, const SpakeRandom& random);
  ~Spake2();
  Spake2(const Spake2&) = default;
  Spake2& operator=(const Spake2&) = default;

  [[nodiscard]] const SpakePoint& message() const { return message_; }

  // `protocol` when the peer's message is no point of the curve, or has small order.
  [[nodiscard]] Result<SpakeKey> key(ByteView peer_message) const;

 private:
  SpakeSide side_;
  SpakeKey password_hash_{};
  SpakePoint password_scalar_{};  // w / 8
  SpakePoint private_scalar_{};   // x / 8
  SpakePoint message_{};
};

// AES-128-GCM as pairing uses it, under a key derived from the SPAKE2 key. Each direction counts
// its messages: the nonce is the counter as u64 little endian, then four zero bytes. The tag (16
// bytes) is appended.

using PairingKey = std::array<std::byte, 16>;

// HKDF-SHA256 without salt.
Result<PairingKey> derive_pairing_key(ByteView spake_key);

class PairingCipher {
 public:
  explicit PairingCipher(const PairingKey& key) : key_(key) {}

  Result<Bytes> seal(ByteView plain);
  // `auth_pairing_failed` if the text was not sealed under this key, in this order.
  Result<Bytes> open(ByteView sealed);

 private:
  PairingKey key_;
  std::uint64_t sealed_ = 0;
  std::uint64_t opened_ = 0;
};

}  // namespace adbproto
