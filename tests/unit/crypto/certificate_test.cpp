#include "adbproto/crypto/rsa_key.hpp"

#include <openssl/x509v3.h>

#include <catch2/catch.hpp>
#include <memory>

#include "support/print_result.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

struct Free {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using Certificate = std::unique_ptr<X509, Free>;

Certificate parsed(const Bytes& der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  return Certificate(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
}

std::string one_line(X509_NAME* name) {
  char text[200];
  return X509_NAME_oneline(name, text, sizeof text);
}

bool is_critical(X509* certificate, int nid) {
  const int at = X509_get_ext_by_NID(certificate, nid, -1);
  return at >= 0 && X509_EXTENSION_get_critical(X509_get_ext(certificate, at)) == 1;
}

}  // namespace

TEST_CASE("certificate: it says what adb's says", "[crypto]") {
  const auto key = RsaKey::from_pem(kKeyPem);
  REQUIRE(key);
  const auto der = make_certificate(*key);
  REQUIRE(der);
  const Certificate certificate = parsed(*der);
  REQUIRE(certificate);
  X509* const x509 = certificate.get();

  CHECK(X509_get_version(x509) == X509_VERSION_3);
  CHECK(ASN1_INTEGER_get(X509_get_serialNumber(x509)) == 1);
  CHECK(one_line(X509_get_subject_name(x509)) == "/C=US/O=Android/CN=Adb");
  CHECK(one_line(X509_get_issuer_name(x509)) == "/C=US/O=Android/CN=Adb");
  CHECK(X509_get_signature_nid(x509) == NID_sha256WithRSAEncryption);
  CHECK(X509_verify(x509, X509_get0_pubkey(x509)) == 1);

  int days = 0;
  int seconds = 0;
  ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(x509), X509_get0_notAfter(x509));
  CHECK(days == 3650);
  CHECK(X509_cmp_current_time(X509_get0_notBefore(x509)) < 0);

  CHECK(X509_check_ca(x509) == 1);
  CHECK(is_critical(x509, NID_basic_constraints));
  CHECK(X509_get_key_usage(x509) == (KU_KEY_CERT_SIGN | KU_CRL_SIGN | KU_DIGITAL_SIGNATURE));
  CHECK(is_critical(x509, NID_key_usage));
  CHECK(X509_get0_subject_key_id(x509) != nullptr);
  CHECK_FALSE(is_critical(x509, NID_subject_key_identifier));
}
