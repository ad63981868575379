#include "adbproto/crypto/rsa_key.hpp"

#include <openssl/core_names.h>
#include <sodium.h>

#include <algorithm>
#include <bit>

#include "adbproto/crypto/openssl.hpp"
#include "adbproto/wire/adb_public_key.hpp"

namespace adbproto {
namespace {

constexpr int kBits = 2048;

BioPtr read_only(std::string_view text) {
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Without this callback OpenSSL prompts on the terminal.
int no_passphrase(char*, int, int, void*) { return -1; }

Result<AdbPublicKey> public_half(const EVP_PKEY* key) {
  AdbPublicKey half;
  BIGNUM* n = nullptr;
  BIGNUM* e = nullptr;
  EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &n);
  EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &e);
  const BignumPtr modulus(n);
  const BignumPtr exponent(e);
  const bool whole = n != nullptr && e != nullptr && BN_num_bits(n) == kBits && BN_is_odd(n) &&
                     BN_num_bits(e) > 1 && BN_num_bits(e) <= 32 && BN_is_odd(e) &&
                     BN_bn2binpad(n, reinterpret_cast<unsigned char*>(half.modulus.data()),
                                  kModulusSize) == kModulusSize;
  if (!whole) return fail(errc::invalid_argument, "not an RSA-2048 key");
  half.exponent = static_cast<std::uint32_t>(BN_get_word(e));
  return half;
}

Result<PkeyPtr> key_of(const AdbPublicKey& half) {
  auto exponent = half.exponent;
  auto modulus = half.modulus;
  if constexpr (std::endian::native == std::endian::little) std::ranges::reverse(modulus);
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N,
                              reinterpret_cast<unsigned char*>(modulus.data()), modulus.size()),
      OSSL_PARAM_construct_uint32(OSSL_PKEY_PARAM_RSA_E, &exponent),
      OSSL_PARAM_construct_end(),
  };
  const PkeyContextPtr context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* key = nullptr;
  const bool made = context && EVP_PKEY_fromdata_init(context.get()) == 1 &&
                    EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params) == 1;
  if (!made) return fail(errc::invalid_argument, "not a usable public key: " + openssl_error());
  return PkeyPtr(key);
}

// PKCS#1 v1.5 with the token in place of a SHA-1 digest.
PkeyContextPtr token_context(EVP_PKEY* key, int (*start)(EVP_PKEY_CTX*)) {
  PkeyContextPtr context(EVP_PKEY_CTX_new(key, nullptr));
  const bool ready = context && start(context.get()) == 1 &&
                     EVP_PKEY_CTX_set_rsa_padding(context.get(), RSA_PKCS1_PADDING) == 1 &&
                     EVP_PKEY_CTX_set_signature_md(context.get(), EVP_sha1()) == 1;
  return ready ? std::move(context) : nullptr;
}

constexpr long kTenYears = 10L * 365 * 24 * 60 * 60;

bool add_name(X509_NAME* name, const char* field, const char* text) {
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC,
                                    reinterpret_cast<const unsigned char*>(text), -1, -1, 0) == 1;
}

bool add_extension(X509* certificate, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
  const bool added = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

bool fill(X509* certificate, EVP_PKEY* key) {
  X509_NAME* name = X509_get_subject_name(certificate);
  return X509_set_version(certificate, X509_VERSION_3) == 1 &&
         ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1 &&
         X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nullptr &&
         X509_gmtime_adj(X509_getm_notAfter(certificate), kTenYears) != nullptr &&
         X509_set_pubkey(certificate, key) == 1 && add_name(name, "C", "US") &&
         add_name(name, "O", "Android") && add_name(name, "CN", "Adb") &&
         X509_set_issuer_name(certificate, name) == 1 &&
         add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
         add_extension(certificate, NID_key_usage,
                       "critical,keyCertSign,cRLSign,digitalSignature") &&
         add_extension(certificate, NID_subject_key_identifier, "hash") &&
         X509_sign(certificate, key, EVP_sha256()) != 0;
}

}  // namespace

Result<RsaKey> RsaKey::generate() {
  TRY_VOID(prepare_openssl());
  PkeyPtr key(EVP_RSA_gen(kBits));
  if (!key) return fail(errc::io, "cannot create a key: " + openssl_error());
  return RsaKey(std::make_shared<const Parts>(std::move(key)));
}

Result<RsaKey> RsaKey::from_pem(std::string_view pem) {
  // A key of 2048 bits has less than 2 KiB; OpenSSL gets no more than this.
  constexpr std::size_t kMaxPem = 64 * 1024;
  if (pem.size() > kMaxPem)
    return fail(errc::invalid_argument, "the text is too long for a private key");
  TRY_VOID(prepare_openssl());
  const BioPtr bio = read_only(pem);
  PkeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (!key) return fail(errc::invalid_argument, "not a PEM private key");
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) {
    return fail(errc::invalid_argument, "not an RSA key");
  }
  TRY_VOID(public_half(key.get()));
  return RsaKey(std::make_shared<const Parts>(std::move(key)));
}

std::string RsaKey::to_pem() const {
  const BioPtr bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), parts_->key.get(), nullptr, nullptr, 0, nullptr,
                                nullptr);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

Result<Bytes> RsaKey::sign_token(ByteView token) const {
  if (token.size() != kTokenSize) {
    return fail(errc::invalid_argument,
                "a token of " + std::to_string(token.size()) + " bytes cannot be signed");
  }
  const auto context = token_context(parts_->key.get(), EVP_PKEY_sign_init);
  Bytes signature(kModulusSize);
  std::size_t size = signature.size();
  const bool done =
      context && EVP_PKEY_sign(context.get(), reinterpret_cast<unsigned char*>(signature.data()),
                               &size, as_unsigned(token), token.size()) == 1;
  if (!done) return fail(errc::invalid_argument, "the key cannot sign: " + openssl_error());
  signature.resize(size);
  return signature;
}

std::string RsaKey::public_text(std::string_view comment) const {
  const auto half = public_half(parts_->key.get());  // this worked when the key was created
  return half ? encode_adb_public_key_line({*half, std::string(comment)}) : std::string();
}

std::string RsaKey::fingerprint() const { return fingerprint_of(parts_->key.get()); }

Result<std::string> fingerprint_of(std::string_view public_text) {
  TRY_VOID(prepare_openssl());
  TRY(const auto line, parse_adb_public_key_line(public_text));
  TRY(const auto key, key_of(line.key));
  return fingerprint_of(key.get());
}

Bytes random_token() {
  Bytes token(kTokenSize);
  randombytes_buf(token.data(), token.size());
  return token;
}

bool verify_token(std::string_view public_text, ByteView token, ByteView signature) {
  const auto line = parse_adb_public_key_line(public_text);
  if (!prepare_openssl() || !line || token.size() != kTokenSize) return false;
  const auto key = key_of(line->key);
  if (!key) return false;
  const auto context = token_context(key->get(), EVP_PKEY_verify_init);
  const bool good =
      context && EVP_PKEY_verify(context.get(), as_unsigned(signature), signature.size(),
                                 as_unsigned(token), token.size()) == 1;
  ERR_clear_error();
  return good;
}

Result<Bytes> make_certificate(const RsaKey& key) {
  const X509Ptr certificate(X509_new());
  if (!certificate || !fill(certificate.get(), key.parts().key.get())) {
    return fail(errc::invalid_argument, "cannot create a certificate: " + openssl_error());
  }
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate.get(), &der);
  if (size <= 0) return fail(errc::invalid_argument, "cannot create a certificate");
  const auto* begin = reinterpret_cast<const std::byte*>(der);
  Bytes bytes(begin, begin + size);
  OPENSSL_free(der);
  return bytes;
}

}  // namespace adbproto
