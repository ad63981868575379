#pragma once
// An RSA-2048 public key in adb's form, prepared for a verifier with 32-bit words only.
//
//   offset   0  u32  words of the modulus: 64     offset 264  rr = (2^2048)^2 mod n, 256 bytes
//   offset   4  u32  n0inv = -1/n mod 2^32        offset 520  u32  exponent
//   offset   8  n, 256 bytes                      524 bytes, all little endian
//
// As text: base64 of those bytes (700 characters), " ", the owner. adbkey.pub has one such line;
// AUTH and pairing send it with a final NUL.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kModulusSize = 256;
inline constexpr std::size_t kAdbPublicKeySize = 524;
// 524 bytes are 700 as base64; the rest is user@host.
inline constexpr std::size_t kMaxPublicKeyText = 4096;

struct AdbPublicKey {
  std::array<std::byte, kModulusSize> modulus{};  // big endian
  std::uint32_t exponent = 65537;

  bool operator==(const AdbPublicKey&) const = default;
};

// Precondition: the modulus is odd and its top bit is set; decoding ensures that.
Bytes encode_adb_public_key(const AdbPublicKey& key);
// `protocol` for another size or word count, an even or short modulus, or an even exponent. n0inv
// and rr follow from the modulus; like adbd, decoding ignores their fields.
Result<AdbPublicKey> decode_adb_public_key(ByteView blob);

struct AdbPublicKeyLine {
  AdbPublicKey key{};
  std::string comment{};

  bool operator==(const AdbPublicKeyLine&) const = default;
};

// Without NUL or line end.
std::string encode_adb_public_key_line(const AdbPublicKeyLine& line);
// A final NUL or line end is dropped; a missing comment is empty.
Result<AdbPublicKeyLine> parse_adb_public_key_line(std::string_view text);

}  // namespace adbproto
