#pragma once
// TLS 1.3 over any byte stream, as adb uses it: both sides send a self-signed certificate of their
// RSA key. There is no chain; the key itself decides about trust.
//
//   bytes of `inner` --> memory BIO --> SSL --> read_some / write_all

#include "adbproto/crypto/rsa_key.hpp"
#include "base/async/byte_stream.hpp"
#include "base/bytes.hpp"

namespace adbproto {

class TlsStream : public ByteStream {
 public:
  // RFC 5705 with TLS 1.3's rules and no context. `label` is used unchanged, including a NUL.
  [[nodiscard]] virtual Result<Bytes> export_key(std::string_view label, std::size_t size) = 0;
};

struct TlsClientOptions {
  // Called with the fingerprints that the server's CA list names (`O=AdbKey-0,CN=<fingerprint>`).
  std::function<RsaKey(const std::vector<std::string>& acceptable)> choose_key;
  // A TLS 1.3 server reports a refused certificate only after the client's handshake. So the client
  // waits for the server's first byte before the stream counts as open. After STLS (A_STLS in adb's
  // sources) that byte begins the device's CNXN. Pairing's server sends nothing first: turn this
  // off there.
  bool await_first_byte = true;
};

struct TlsServerOptions {
  explicit TlsServerOptions(RsaKey own) : key(std::move(own)) {}
  RsaKey key;
  std::vector<std::string> authorised_fingerprints{};  // sent as the CA list
  // True if a client with this key is accepted; absent: all are.
  std::function<bool(const std::string& fingerprint)> accept_key{};
};

// `already_read`: the peer's bytes that were read from `inner` before (its hello may share a
// segment with STLS). Fails with device_unauthorized when the server refuses our certificate, with
// protocol for bytes that are no TLS 1.3, else with the errors of `inner`.
Task<std::unique_ptr<TlsStream>> start_tls_client(ByteStreamPtr inner, Bytes already_read,
                                                  TlsClientOptions options);
Task<std::unique_ptr<TlsStream>> start_tls_server(ByteStreamPtr inner, Bytes already_read,
                                                  TlsServerOptions options);

}  // namespace adbproto
