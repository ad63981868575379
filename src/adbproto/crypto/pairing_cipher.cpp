#include "adbproto/crypto/pairing_cipher.hpp"

#include <memory>
#include <string_view>

#include "adbproto/crypto/openssl.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

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

// Whole output but the tag, which the caller reads or has set.
bool run(EVP_CIPHER_CTX* context, Direction direction, const PairingKey& key, const Nonce& nonce,
         ByteView from, Bytes& to) {
  int size = 0;
  return EVP_CipherInit_ex2(context, EVP_aes_128_gcm(), as_unsigned(key), as_unsigned(nonce),
                            static_cast<int>(direction), nullptr) == 1 &&
         EVP_CipherUpdate(context, raw(to.data()), &size, as_unsigned(from),
                          static_cast<int>(from.size())) == 1;
}

}  // namespace

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
