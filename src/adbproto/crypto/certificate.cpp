#include "adbproto/crypto/certificate.hpp"

#include "adbproto/crypto/openssl.hpp"

namespace adbproto {
namespace {

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

Result<Bytes> make_certificate(const RsaKey& key) {
  const X509Ptr certificate(X509_new());
  if (!certificate || !fill(certificate.get(), key.parts().key.get())) {
    return fail(errc::invalid_argument, "cannot make a certificate: " + openssl_error());
  }
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate.get(), &der);
  if (size <= 0) return fail(errc::invalid_argument, "cannot make a certificate");
  const auto* begin = reinterpret_cast<const std::byte*>(der);
  Bytes bytes(begin, begin + size);
  OPENSSL_free(der);
  return bytes;
}

}  // namespace adbproto
