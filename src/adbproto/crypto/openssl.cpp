#include "adbproto/crypto/openssl.hpp"

namespace adbproto {

ADBPROTO_LIBCRYPTO(LOADED_DEFINE)
ADBPROTO_LIBSSL(LOADED_DEFINE)

namespace {

constexpr const char* kPackage = "libssl3";

}  // namespace

Result<void> prepare_openssl() {
  static const Result<void> kLoaded = []() -> Result<void> {
    LoadedLibrary library("libcrypto.so.3");
    ADBPROTO_LIBCRYPTO(LOADED_BIND)
    TRY_VOID(library.complete(kPackage));
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
    return ok();
  }();
  return kLoaded;
}

Result<void> prepare_tls() {
  static const Result<void> kLoaded = []() -> Result<void> {
    TRY_VOID(prepare_openssl());
    LoadedLibrary library("libssl.so.3");
    ADBPROTO_LIBSSL(LOADED_BIND)
    TRY_VOID(library.complete(kPackage));
    // With OPENSSL_INIT_NO_LOAD_SSL_STRINGS OpenSSL 3.5 never loads the error texts.
    OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_LOAD_SSL_STRINGS, nullptr);
    return ok();
  }();
  return kLoaded;
}

std::string openssl_error() {
  std::string text = "unknown error";
  if (const char* reason = ERR_reason_error_string(ERR_peek_last_error())) text = reason;
  ERR_clear_error();
  return text;
}

std::string fingerprint_of(const EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = key == nullptr ? -1 : i2d_PUBKEY(key, &der);
  std::array<unsigned char, 32> digest{};
  const bool done = size > 0 && EVP_Digest(der, static_cast<std::size_t>(size), digest.data(),
                                           nullptr, EVP_sha256(), nullptr) == 1;
  OPENSSL_free(der);
  if (!done) return {};
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (const unsigned byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace adbproto
