#pragma once
// A host's identity: one RSA-2048 key, in the four forms that adb uses.
//
//   PEM file     ~/.android/adbkey: PKCS#8 "PRIVATE KEY", older files PKCS#1 "RSA PRIVATE KEY"
//   signature    PKCS#1 v1.5 over the 20-byte AUTH token, which is used as the SHA-1 digest itself
//   public text  base64 of the 524-byte Android blob (wire/adb_public_key.hpp), " ", user@host
//   fingerprint  SHA-256 of the DER SubjectPublicKeyInfo, 64 upper-case hex digits
//
// Cheap to copy; the key itself is shared and never changes.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kTokenSize = 20;

class RsaKey {
 public:
  // Takes about 100 ms: run it on a thread of the pool.
  static Result<RsaKey> generate();
  // `invalid_argument` for a text that is no RSA-2048 private key; the message never quotes the
  // text.
  static Result<RsaKey> from_pem(std::string_view pem);

  [[nodiscard]] std::string to_pem() const;  // PKCS#8
  // `invalid_argument` unless the token is 20 bytes long.
  [[nodiscard]] Result<Bytes> sign_token(ByteView token) const;
  [[nodiscard]] std::string public_text(std::string_view comment) const;  // without NUL
  [[nodiscard]] std::string fingerprint() const;

  struct Parts;  // OpenSSL's key: crypto/openssl.hpp
  [[nodiscard]] const Parts& parts() const { return *parts_; }

 private:
  explicit RsaKey(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

// The fingerprint of a key with only its public text.
Result<std::string> fingerprint_of(std::string_view public_text);

// 20 random bytes.
Bytes random_token();

// A device's check: true if the signature of this token was made by the key of `public_text`.
bool verify_token(std::string_view public_text, ByteView token, ByteView signature);

// The certificate of a host in TLS. Only its public key matters; the rest is adb's, because devices
// have been tested only with that.
//
//   X.509 v3, self-signed with SHA-256, serial 1, C=US O=Android CN=Adb, valid for 10 years from
//   now, BasicConstraints CA:TRUE and KeyUsage keyCertSign|cRLSign|digitalSignature critical, SKI

// DER.
Result<Bytes> make_certificate(const RsaKey& key);

}  // namespace adbproto
