#pragma once
// The OpenSSL functions that we call, as pointers: the library is loaded when a key or TLS is
// needed for the first time, because loading it would slow every start of the program. Also
// OpenSSL's objects with owners. Only this folder and link/tls_stream use it.
//
// Call no OpenSSL function before one of the two functions below has succeeded.

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "adbproto/crypto/rsa_key.hpp"
#include "base/error.hpp"
#include "base/loaded_library.hpp"

// clang-format off
#define ADBPROTO_LIBCRYPTO(X)                                                                   \
  X(ASN1_INTEGER_set) X(ASN1_STRING_get0_data) X(ASN1_STRING_length)                            \
  X(BIO_ctrl) X(BIO_ctrl_pending) X(BIO_free_all) X(BIO_new) X(BIO_new_mem_buf) X(BIO_read)     \
  X(BIO_s_mem) X(BIO_write)                                                                     \
  X(BN_bn2binpad) X(BN_free) X(BN_get_word) X(BN_is_odd) X(BN_num_bits)                         \
  X(CRYPTO_free) X(ERR_clear_error) X(ERR_peek_last_error) X(ERR_reason_error_string)           \
  X(EVP_CIPHER_CTX_ctrl) X(EVP_CIPHER_CTX_free) X(EVP_CIPHER_CTX_new) X(EVP_CipherFinal_ex)     \
  X(EVP_CipherInit_ex2) X(EVP_CipherUpdate) X(EVP_Digest) X(EVP_aes_128_gcm) X(EVP_sha1)        \
  X(EVP_sha256) X(EVP_PKEY_CTX_add1_hkdf_info) X(EVP_PKEY_CTX_free) X(EVP_PKEY_CTX_new)         \
  X(EVP_PKEY_CTX_new_from_name) X(EVP_PKEY_CTX_new_id) X(EVP_PKEY_CTX_set1_hkdf_key)            \
  X(EVP_PKEY_CTX_set_hkdf_md) X(EVP_PKEY_CTX_set_rsa_padding) X(EVP_PKEY_CTX_set_signature_md)  \
  X(EVP_PKEY_Q_keygen) X(EVP_PKEY_derive) X(EVP_PKEY_derive_init) X(EVP_PKEY_free)              \
  X(EVP_PKEY_fromdata) X(EVP_PKEY_fromdata_init) X(EVP_PKEY_get_base_id)                        \
  X(EVP_PKEY_get_bn_param) X(EVP_PKEY_sign) X(EVP_PKEY_sign_init) X(EVP_PKEY_verify)            \
  X(EVP_PKEY_verify_init)                                                                       \
  X(OPENSSL_init_crypto) X(OPENSSL_sk_new_null) X(OPENSSL_sk_num) X(OPENSSL_sk_push)            \
  X(OPENSSL_sk_value) X(OSSL_PARAM_construct_BN) X(OSSL_PARAM_construct_end)                    \
  X(OSSL_PARAM_construct_uint32) X(PEM_read_bio_PrivateKey) X(PEM_write_bio_PKCS8PrivateKey)    \
  X(X509V3_EXT_conf_nid) X(X509V3_set_ctx) X(X509_EXTENSION_free) X(X509_NAME_ENTRY_get_data)   \
  X(X509_NAME_add_entry_by_NID) X(X509_NAME_add_entry_by_txt) X(X509_NAME_free)                 \
  X(X509_NAME_get_entry) X(X509_NAME_get_index_by_NID) X(X509_NAME_new)                         \
  X(X509_STORE_CTX_get0_cert) X(X509_STORE_CTX_set_error) X(X509_add_ext) X(X509_free)          \
  X(X509_get0_pubkey) X(X509_get_serialNumber) X(X509_get_subject_name) X(X509_getm_notAfter)   \
  X(X509_getm_notBefore) X(X509_gmtime_adj) X(X509_new) X(X509_set_issuer_name)                 \
  X(X509_set_pubkey) X(X509_set_version) X(X509_sign) X(i2d_PUBKEY) X(i2d_X509)

#define ADBPROTO_LIBSSL(X)                                                                      \
  X(OPENSSL_init_ssl) X(SSL_CTX_ctrl) X(SSL_CTX_free) X(SSL_CTX_new) X(SSL_CTX_set_cert_cb)     \
  X(SSL_CTX_set_cert_verify_callback) X(SSL_CTX_set_client_CA_list) X(SSL_CTX_set_num_tickets)  \
  X(SSL_CTX_set_verify) X(SSL_do_handshake) X(SSL_export_keying_material) X(SSL_free)           \
  X(SSL_get0_peer_CA_list) X(SSL_get_error) X(SSL_new) X(SSL_peek) \
  X(SSL_read) X(SSL_set_accept_state) X(SSL_set_bio) X(SSL_set_cert_cb)                         \
  X(SSL_set_connect_state) X(SSL_use_PrivateKey) X(SSL_use_certificate_ASN1) X(SSL_write)       \
  X(TLS_client_method) X(TLS_server_method) X(SSL_get0_peer_certificate)
// clang-format on

namespace adbproto {

// Written once by prepare_openssl() and prepare_tls().
ADBPROTO_LIBCRYPTO(LOADED_DECLARE)
ADBPROTO_LIBSSL(LOADED_DECLARE)

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

// Load libcrypto (and libssl) at the first call; `unsupported` if they are not installed. The
// system's configuration file is never read, because it must not change our protocol settings.
Result<void> prepare_openssl();
Result<void> prepare_tls();
// The text of OpenSSL's last error; empties its queue.
std::string openssl_error();
// SHA-256 of the DER SubjectPublicKeyInfo in upper-case hex; empty for a key without one.
std::string fingerprint_of(const EVP_PKEY* key);

}  // namespace adbproto
