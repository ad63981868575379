#include "adbproto/crypto/spake2.hpp"

#include <sodium.h>

#include <algorithm>

#include "adbproto/crypto/openssl.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kAliceName = "adb pair client\0"sv;
constexpr std::string_view kBobName = "adb pair server\0"sv;

constexpr SpakePoint point_of(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  SpakePoint point{};
  for (std::size_t i = 0; i < point.size(); ++i) {
    point[i] = static_cast<std::byte>(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  }
  return point;
}

// From "edwards25519 point generation seed (M)" and "(N)", hashed until the result decodes.
constexpr SpakePoint kM =
    point_of("5ada7e4bf6ddd9adb6626d32131c6b5c51a1e347a3478f53cfcf441b88eed12e");
constexpr SpakePoint kN =
    point_of("10e3df0ae37d8e7a99b5fe74b44672103dbddcbd06af680d71329a11693bc778");
// l, the order of the base point, little endian.
constexpr SpakePoint kOrder =
    point_of("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");

unsigned char* raw(auto& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }
const unsigned char* raw(const auto& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// 256-bit integers, little endian. A final carry is lost; callers ensure that there is none.
void add(SpakePoint& to, const SpakePoint& value) { sodium_add(raw(to), raw(value), to.size()); }

void divide_by_8(SpakePoint& value) {
  unsigned above = 0;
  for (auto at = value.rbegin(); at != value.rend(); ++at) {
    const unsigned byte = std::to_integer<unsigned>(*at);
    *at = static_cast<std::byte>(byte >> 3 | above);
    above = byte << 5 & 0xff;
  }
}

SpakePoint modulo_order(const auto& wide) {
  SpakePoint reduced;
  crypto_core_ed25519_scalar_reduce(raw(reduced), raw(wide));
  return reduced;
}

// w / 8, where w = h mod l + 0..7 times l is a multiple of 8: l is odd, so there is one.
SpakePoint password_scalar(const SpakeKey& hash) {
  SpakePoint scalar = modulo_order(hash);
  SpakePoint addend = kOrder;
  for (unsigned bit = 1; bit < 8; bit <<= 1) {
    SpakePoint maybe{};
    const auto mask = static_cast<std::byte>(-((std::to_integer<unsigned>(scalar[0]) & bit) != 0));
    std::ranges::transform(addend, maybe.begin(), [&](std::byte b) { return b & mask; });
    add(scalar, maybe);
    add(addend, SpakePoint(addend));
  }
  divide_by_8(scalar);
  return scalar;
}

// M, N and a peer's message may have a torsion part, which libsodium refuses to multiply; 8 times
// such a point has none. All our scalars are multiples of 8, so (s/8)*(8P) is the product.
Result<SpakePoint> times_8_and(const SpakePoint& scalar, SpakePoint point) {
  SpakePoint sum;
  for (int doublings = 0; doublings < 3; ++doublings) {
    if (crypto_core_ed25519_add(raw(sum), raw(point), raw(point)) != 0) {
      return fail(errc::protocol, "pairing message is no point of the curve");
    }
    point = sum;
  }
  if (crypto_scalarmult_ed25519_noclamp(raw(sum), raw(scalar), raw(point)) != 0) {
    return fail(errc::protocol, "pairing message is a point of small order");
  }
  return sum;
}

SpakePoint mask_of(SpakeSide side, const SpakePoint& scalar) {
  return times_8_and(scalar, side == SpakeSide::alice ? kM : kN).value_or(SpakePoint{});
}

SpakeSide other(SpakeSide side) {
  return side == SpakeSide::alice ? SpakeSide::bob : SpakeSide::alice;
}

class Transcript {
 public:
  Transcript() { crypto_hash_sha512_init(&state_); }
  void add(ByteView part) {
    Bytes size;
    append_le(size, static_cast<std::uint64_t>(part.size()));
    crypto_hash_sha512_update(&state_, raw(size), size.size());
    crypto_hash_sha512_update(&state_, as_unsigned(part), part.size());
  }
  SpakeKey finish() {
    SpakeKey key;
    crypto_hash_sha512_final(&state_, raw(key));
    return key;
  }

 private:
  crypto_hash_sha512_state state_{};
};

constexpr std::string_view kPurpose = "adb pairing_auth aes-128-gcm key";
constexpr std::size_t kTagSize = 16;

using Context = std::unique_ptr<EVP_CIPHER_CTX, OpensslFree<&EVP_CIPHER_CTX_free>>;
using Nonce = std::array<std::byte, 12>;

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

Nonce nonce_of(std::uint64_t counter) {
  Nonce nonce{};
  store_le(nonce.data(), counter);
  return nonce;
}

enum class Direction { open = 0, seal = 1 };

// Writes the whole output except the tag, which the caller reads or has set.
bool run(EVP_CIPHER_CTX* context, Direction direction, const PairingKey& key, const Nonce& nonce,
         ByteView from, Bytes& to) {
  int size = 0;
  return EVP_CipherInit_ex2(context, EVP_aes_128_gcm(), as_unsigned(key), as_unsigned(nonce),
                            static_cast<int>(direction), nullptr) == 1 &&
         EVP_CipherUpdate(context, raw(to.data()), &size, as_unsigned(from),
                          static_cast<int>(from.size())) == 1;
}

}  // namespace

SpakeRandom fresh_spake_random() {
  SpakeRandom random;
  randombytes_buf(random.data(), random.size());
  return random;
}

Spake2::Spake2(SpakeSide side, ByteView password, const SpakeRandom& random) : side_(side) {
  crypto_hash_sha512(raw(password_hash_), as_unsigned(password), password.size());
  password_scalar_ = password_scalar(password_hash_);
  private_scalar_ = modulo_order(random);

  SpakePoint eight{std::byte{8}};
  SpakePoint scalar, point;
  crypto_core_ed25519_scalar_mul(raw(scalar), raw(private_scalar_), raw(eight));
  crypto_scalarmult_ed25519_base_noclamp(raw(point), raw(scalar));
  const SpakePoint mask = mask_of(side, password_scalar_);
  crypto_core_ed25519_add(raw(message_), raw(point), raw(mask));
  sodium_memzero(scalar.data(), scalar.size());
}

Spake2::~Spake2() {
  sodium_memzero(password_hash_.data(), password_hash_.size());
  sodium_memzero(password_scalar_.data(), password_scalar_.size());
  sodium_memzero(private_scalar_.data(), private_scalar_.size());
}

Result<SpakeKey> Spake2::key(ByteView peer_message) const {
  SpakePoint theirs, unmasked;
  if (peer_message.size() != theirs.size()) {
    return fail(errc::protocol,
                "pairing message of " + std::to_string(peer_message.size()) + " bytes");
  }
  std::ranges::copy(peer_message, theirs.begin());
  const SpakePoint mask = mask_of(other(side_), password_scalar_);
  if (crypto_core_ed25519_sub(raw(unmasked), raw(theirs), raw(mask)) != 0) {
    return fail(errc::protocol, "pairing message is no point of the curve");
  }
  TRY(const SpakePoint shared, times_8_and(private_scalar_, unmasked));

  const bool is_alice = side_ == SpakeSide::alice;
  Transcript transcript;
  transcript.add(as_bytes(kAliceName));
  transcript.add(as_bytes(kBobName));
  transcript.add(is_alice ? message_ : theirs);
  transcript.add(is_alice ? theirs : message_);
  transcript.add(shared);
  transcript.add(password_hash_);
  return transcript.finish();
}

Result<PairingKey> derive_pairing_key(ByteView spake_key) {
  TRY_VOID(prepare_openssl());
  const PkeyContextPtr context(EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  PairingKey key;
  std::size_t size = key.size();
  if (context && EVP_PKEY_derive_init(context.get()) == 1 &&
      EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
      EVP_PKEY_CTX_set1_hkdf_key(context.get(), as_unsigned(spake_key),
                                 static_cast<int>(spake_key.size())) == 1 &&
      EVP_PKEY_CTX_add1_hkdf_info(context.get(), as_unsigned(as_bytes(kPurpose)),
                                  static_cast<int>(kPurpose.size())) == 1 &&
      EVP_PKEY_derive(context.get(), raw(key.data()), &size) == 1) {
    return key;
  }
  return fail(errc::unsupported, "no HKDF: " + openssl_error());
}

Result<Bytes> PairingCipher::seal(ByteView plain) {
  TRY_VOID(prepare_openssl());
  const Context context(EVP_CIPHER_CTX_new());
  Bytes sealed(plain.size() + kTagSize);
  int rest = 0;
  if (!context || !run(context.get(), Direction::seal, key_, nonce_of(sealed_++), plain, sealed) ||
      EVP_CipherFinal_ex(context.get(), raw(sealed.data() + plain.size()), &rest) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, kTagSize,
                          sealed.data() + plain.size()) != 1) {
    return fail(errc::unsupported, "no AES-128-GCM: " + openssl_error());
  }
  return sealed;
}

Result<Bytes> PairingCipher::open(ByteView sealed) {
  TRY_VOID(prepare_openssl());
  const auto refused = [] { return fail(errc::auth_pairing_failed, "the pairing code is wrong"); };
  if (sealed.size() < kTagSize) return refused();
  const Context context(EVP_CIPHER_CTX_new());
  const ByteView body = sealed.first(sealed.size() - kTagSize);
  Bytes tag(sealed.begin() + static_cast<std::ptrdiff_t>(body.size()), sealed.end());
  Bytes plain(body.size());
  std::byte none{};
  int rest = 0;
  if (!context || !run(context.get(), Direction::open, key_, nonce_of(opened_++), body, plain) ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, kTagSize, tag.data()) != 1 ||
      EVP_CipherFinal_ex(context.get(), raw(&none), &rest) != 1) {
    ERR_clear_error();
    return refused();
  }
  return plain;
}

}  // namespace adbproto
