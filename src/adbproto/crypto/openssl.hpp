#pragma once
// OpenSSL's objects with owners; for this folder and link/tls_stream only.
//
// Nothing of OpenSSL may be called before one of the two functions below has said that it is there.

#include <memory>
#include <string>

#include "adbproto/crypto/openssl_functions.hpp"
#include "adbproto/crypto/rsa_key.hpp"
#include "base/error.hpp"

namespace adbproto {

template <auto kFree>
struct OpensslFree {
  template <class T>
  void operator()(T* object) const {
    (*kFree)(object);
  }
};

using BioPtr = std::unique_ptr<BIO, OpensslFree<&BIO_free_all>>;
using BignumPtr = std::unique_ptr<BIGNUM, OpensslFree<&BN_free>>;
using PkeyPtr = std::unique_ptr<EVP_PKEY, OpensslFree<&EVP_PKEY_free>>;
using PkeyContextPtr = std::unique_ptr<EVP_PKEY_CTX, OpensslFree<&EVP_PKEY_CTX_free>>;
using X509Ptr = std::unique_ptr<X509, OpensslFree<&X509_free>>;
using X509NamePtr = std::unique_ptr<X509_NAME, OpensslFree<&X509_NAME_free>>;
using SslContextPtr = std::unique_ptr<SSL_CTX, OpensslFree<&SSL_CTX_free>>;
using SslPtr = std::unique_ptr<SSL, OpensslFree<&SSL_free>>;

struct RsaKey::Parts {
  PkeyPtr key;
};

// Load libcrypto, and libssl as well, at the first call; `unsupported` where they are not
// installed. The system's configuration file must not change what we speak: it is never read.
Result<void> prepare_openssl();
Result<void> prepare_tls();
// The text of OpenSSL's last error; its queue is empty afterwards.
std::string openssl_error();
// SHA-256 of the DER SubjectPublicKeyInfo in upper-case hex; empty when there is none.
std::string fingerprint_of(const EVP_PKEY* key);

}  // namespace adbproto
