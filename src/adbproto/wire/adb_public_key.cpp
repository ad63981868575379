#include "adbproto/wire/adb_public_key.hpp"

#include <algorithm>

#include "adbproto/wire/base64.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kWords = kModulusSize / 4;
using Words = std::array<std::uint32_t, kWords>;  // little endian

Words words_of(const std::array<std::byte, kModulusSize>& big_endian) {
  auto bytes = big_endian;
  std::ranges::reverse(bytes);
  Words words;
  for (std::size_t i = 0; i < kWords; ++i) words[i] = load_le<std::uint32_t>(&bytes[i * 4]);
  return words;
}

// Newton's iteration doubles the number of correct bits; an odd n is its own inverse mod 8.
std::uint32_t negative_inverse(std::uint32_t n) {
  std::uint32_t inverse = n;
  for (int i = 0; i < 4; ++i) inverse *= 2 - n * inverse;
  return 0 - inverse;
}

bool is_less(const Words& left, const Words& right) {
  return std::ranges::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(),
                                              right.rend());
}

void subtract(Words& from, const Words& what) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint64_t difference = std::uint64_t{from[i]} - what[i] - borrow;
    from[i] = static_cast<std::uint32_t>(difference);
    borrow = difference >> 63;
  }
}

// Doubles mod n. A carry out of the top is more than n, because n's top bit is set.
void double_mod(Words& value, const Words& n) {
  std::uint32_t carry = 0;
  for (std::uint32_t& word : value) {
    const std::uint32_t next = word >> 31;
    word = word << 1 | carry;
    carry = next;
  }
  if (carry != 0 || !is_less(value, n)) subtract(value, n);
}

// 2^4096 mod n, where n > 2^2047.
Words montgomery_square(const Words& n) {
  Words value{1};
  for (std::size_t i = 0; i < 2 * kModulusSize * 8; ++i) double_mod(value, n);
  return value;
}

void append_words(Bytes& to, const Words& words) {
  for (const std::uint32_t word : words) append_le(to, word);
}

}  // namespace

Bytes encode_adb_public_key(const AdbPublicKey& key) {
  const Words n = words_of(key.modulus);
  Bytes blob;
  blob.reserve(kAdbPublicKeySize);
  append_le(blob, static_cast<std::uint32_t>(kWords));
  append_le(blob, negative_inverse(n[0]));
  append_words(blob, n);
  append_words(blob, montgomery_square(n));
  append_le(blob, key.exponent);
  return blob;
}

Result<AdbPublicKey> decode_adb_public_key(ByteView blob) {
  if (blob.size() != kAdbPublicKeySize) {
    return fail(errc::protocol, "a public key has " + std::to_string(blob.size()) + " bytes");
  }
  if (load_le<std::uint32_t>(blob.data()) != kWords) {
    return fail(errc::protocol, "a public key is not RSA-2048");
  }
  AdbPublicKey key;
  std::ranges::reverse_copy(blob.subspan(8, kModulusSize), key.modulus.begin());
  key.exponent = load_le<std::uint32_t>(&blob[kAdbPublicKeySize - 4]);
  const bool full = (key.modulus.front() & std::byte{0x80}) != std::byte{};
  const bool odd = (key.modulus.back() & std::byte{1}) != std::byte{};
  if (!full || !odd || key.exponent < 3 || key.exponent % 2 == 0) {
    return fail(errc::protocol, "a public key has an invalid modulus or exponent");
  }
  return key;
}

std::string encode_adb_public_key_line(const AdbPublicKeyLine& line) {
  std::string text = encode_base64(encode_adb_public_key(line.key));
  if (!line.comment.empty()) text += " " + line.comment;
  return text;
}

Result<AdbPublicKeyLine> parse_adb_public_key_line(std::string_view text) {
  if (text.size() > kMaxPublicKeyText) return fail(errc::limit, "a public key line is too long");
  text = text.substr(0, text.find('\0'));
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  const std::string_view digits = text.substr(0, text.find_first_of(" \t"));
  const auto blob = decode_base64(digits);
  if (!blob) return fail(errc::protocol, "a public key is not base64");
  AdbPublicKeyLine line;
  TRY(line.key, decode_adb_public_key(*blob));
  text.remove_prefix(digits.size());
  line.comment = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  return line;
}

}  // namespace adbproto
