#pragma once
// The certificate that a host shows over TLS. Only its public key counts; the rest is what adb
// writes, because devices have seen nothing else.
//
//   X.509 v3, self-signed with SHA-256, serial 1, C=US O=Android CN=Adb, valid for 10 years from
//   now, BasicConstraints CA:TRUE and KeyUsage keyCertSign|cRLSign|digitalSignature critical, SKI

#include "adbproto/crypto/rsa_key.hpp"
#include "base/bytes.hpp"

namespace adbproto {

// DER.
Result<Bytes> make_certificate(const RsaKey& key);

}  // namespace adbproto
