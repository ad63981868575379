#include "adbproto/link/tls_stream.hpp"

#include <algorithm>

#include "adbproto/crypto/openssl.hpp"
#include "adbproto/crypto/rsa_key.hpp"
#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kReadSize = 64 * 1024;
constexpr std::size_t kWriteSize = 64 * 1024;  // encrypted and sent at once
constexpr std::string_view kOrganization = "AdbKey-0";

std::string_view text_of(const X509_NAME* name, int nid) {
  const int at = X509_NAME_get_index_by_NID(name, nid, -1);
  if (at < 0) return {};
  const ASN1_STRING* text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at));
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

X509NamePtr authority_of(const std::string& fingerprint) {
  X509NamePtr name(X509_NAME_new());
  const auto add = [&](int nid, std::string_view text) {
    return X509_NAME_add_entry_by_NID(name.get(), nid, MBSTRING_ASC, as_unsigned(as_bytes(text)),
                                      static_cast<int>(text.size()), -1, 0) == 1;
  };
  if (!add(NID_organizationName, kOrganization) || !add(NID_commonName, fingerprint)) return {};
  return name;
}

Result<void> use_key(SSL* ssl, const RsaKey& key) {
  TRY(const Bytes certificate, make_certificate(key));
  const bool used = SSL_use_certificate_ASN1(ssl, as_unsigned(certificate),
                                             static_cast<int>(certificate.size())) == 1 &&
                    SSL_use_PrivateKey(ssl, key.parts().key.get()) == 1;
  if (!used) return fail(errc::invalid_argument, "TLS cannot use this key: " + openssl_error());
  return ok();
}

// The error from the peer's alert, or from our rejection of its bytes.
Error tls_error() {
  const unsigned long code = ERR_peek_last_error();
  const std::string text = openssl_error();
  switch (ERR_GET_REASON(code)) {
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_SSLV3_ALERT_NO_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
      return {errc::device_unauthorized, "the certificate was refused"};
    case SSL_R_WRONG_VERSION_NUMBER:  // of a record: the first bytes are no TLS
      return {errc::protocol, "the peer does not use TLS: " + text};
    default: return {errc::protocol, "TLS failed: " + text};
  }
}

// SSL between two memory BIOs. After the handshake the reader only feeds and the writer only
// drains, so one reader and one writer may run at the same time. A reply that SSL creates during a
// read (to a key update) waits for the next write, which TLS 1.3 allows.
class SslStream final : public TlsStream {
 public:
  SslStream(ByteStreamPtr inner, SslContextPtr context)
      : inner_(std::move(inner)), context_(std::move(context)), ssl_(SSL_new(context_.get())) {
    incoming_ = BIO_new(BIO_s_mem());
    outgoing_ = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl_.get(), incoming_, outgoing_);
  }

  [[nodiscard]] SSL* ssl() const { return ssl_.get(); }

  void feed(ByteView bytes) { BIO_write(incoming_, bytes.data(), static_cast<int>(bytes.size())); }

  Task<void> handshake() {
    for (;;) {
      ERR_clear_error();
      const int done = SSL_do_handshake(ssl_.get());
      const int why = SSL_get_error(ssl_.get(), done);
      // A failure may include an alert to the peer.
      auto error = done == 1 || why == SSL_ERROR_WANT_READ ? std::nullopt
                                                           : std::optional<Error>(tls_error());
      const auto sent = co_await flush();
      if (error) co_return std::unexpected(*std::move(error));
      if (!sent) co_return sent;
      if (done == 1) co_return ok();
      CO_TRY_VOID(co_await fill());
    }
  }

  // Waits until there are bytes to read; they stay unread.
  Task<void> await_first_byte() {
    for (char byte = 0;;) {
      ERR_clear_error();
      const int got = SSL_peek(ssl_.get(), &byte, 1);
      if (got == 1) co_return ok();
      CO_TRY_VOID(want_more(got));
      CO_TRY_VOID(co_await fill());
    }
  }

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    for (;;) {
      if (closed_) co_return fail(errc::closed, "stream closed");
      CO_TRY(const std::size_t size, take(into));
      if (size > 0) co_return size;
      CO_TRY_VOID(co_await fill());
    }
  }

  Task<void> write_all(ByteView bytes) override {
    while (!bytes.empty()) {
      if (closed_) co_return fail(errc::closed, "stream closed");
      const ByteView part = bytes.first(std::min(bytes.size(), kWriteSize));
      ERR_clear_error();
      if (SSL_write(ssl_.get(), part.data(), static_cast<int>(part.size())) <= 0) {
        co_return std::unexpected(tls_error());
      }
      CO_TRY_VOID(co_await flush());
      bytes = bytes.subspan(part.size());
    }
    co_return ok();
  }

  [[nodiscard]] std::uint64_t sent() override { return inner_->sent(); }

  void close() override {
    closed_ = true;
    inner_->close();
  }

  [[nodiscard]] Result<Bytes> export_key(std::string_view label, std::size_t size) override {
    Bytes key(size);
    if (SSL_export_keying_material(ssl_.get(), reinterpret_cast<unsigned char*>(key.data()), size,
                                   label.data(), label.size(), nullptr, 0, 0) != 1) {
      return fail(errc::protocol, "TLS exports no key: " + openssl_error());
    }
    return key;
  }

 private:
  // nothing: more bytes are needed.
  [[nodiscard]] Result<void> want_more(int result) const {
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_READ: return ok();
      case SSL_ERROR_ZERO_RETURN: return fail(errc::closed, "end of stream");
      default: return std::unexpected(tls_error());
    }
  }

  // All decrypted bytes, or zero.
  Result<std::size_t> take(std::span<std::byte> into) {
    std::size_t size = 0;
    while (size < into.size()) {
      ERR_clear_error();
      const int room = static_cast<int>(std::min<std::size_t>(into.size() - size, 1 << 20));
      const int got = SSL_read(ssl_.get(), &into[size], room);
      if (got > 0) {
        size += static_cast<std::size_t>(got);
        continue;
      }
      const auto more = want_more(got);
      if (size > 0) break;  // the next read finds the same end again
      if (!more) return std::unexpected(more.error());
      return 0;
    }
    return size;
  }

  Task<void> fill() {
    if (BIO_ctrl_pending(outgoing_) > kReadSize)
      co_return fail(errc::limit, "too much TLS data without payload");
    CO_TRY(const std::size_t size, co_await inner_->read_some(encrypted_));
    feed(ByteView(encrypted_).first(size));
    co_return ok();
  }

  Task<void> flush() {
    Bytes batch(BIO_ctrl_pending(outgoing_));
    if (batch.empty()) co_return ok();
    BIO_read(outgoing_, batch.data(), static_cast<int>(batch.size()));
    co_return co_await inner_->write_all(batch);
  }

  ByteStreamPtr inner_;
  SslContextPtr context_;
  SslPtr ssl_;
  BIO* incoming_;  // both are ssl_'s
  BIO* outgoing_;
  Bytes encrypted_ = Bytes(kReadSize);  // the reader's
  bool closed_ = false;
};

enum class Side { client, server };

Result<SslContextPtr> make_context(Side side) {
  TRY_VOID(prepare_tls());
  SslContextPtr context(
      SSL_CTX_new(side == Side::client ? TLS_client_method() : TLS_server_method()));
  const bool ready = context && SSL_CTX_set_min_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
                     SSL_CTX_set_max_proto_version(context.get(), TLS1_3_VERSION) == 1 &&
                     SSL_CTX_set_num_tickets(context.get(), 0) == 1;
  if (!ready) return fail(errc::unsupported, "no TLS 1.3: " + openssl_error());
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

std::vector<std::string> acceptable_keys(SSL* ssl) {
  std::vector<std::string> fingerprints;
  const STACK_OF(X509_NAME)* names = SSL_get0_peer_CA_list(ssl);
  for (int i = 0; i < sk_X509_NAME_num(names); ++i) {
    const X509_NAME* name = sk_X509_NAME_value(names, i);
    if (text_of(name, NID_organizationName) != kOrganization) continue;
    fingerprints.emplace_back(text_of(name, NID_commonName));
  }
  return fingerprints;
}

// Called when the server requests a certificate.
int choose_certificate(SSL* ssl, void* options) {
  const auto* wanted = static_cast<const TlsClientOptions*>(options);
  return use_key(ssl, wanted->choose_key(acceptable_keys(ssl))) ? 1 : 0;
}

int accept_any_certificate(X509_STORE_CTX*, void*) { return 1; }

int accept_known_key(X509_STORE_CTX* store, void* options) {
  const auto* server = static_cast<const TlsServerOptions*>(options);
  const X509* certificate = X509_STORE_CTX_get0_cert(store);
  const std::string fingerprint =
      certificate == nullptr ? "" : fingerprint_of(X509_get0_pubkey(certificate));
  if (!fingerprint.empty() && (!server->accept_key || server->accept_key(fingerprint))) return 1;
  X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED);
  return 0;
}

void name_authorities(SSL_CTX* context, const std::vector<std::string>& fingerprints) {
  STACK_OF(X509_NAME)* names = sk_X509_NAME_new_null();
  for (const std::string& fingerprint : fingerprints) {
    if (auto name = authority_of(fingerprint)) sk_X509_NAME_push(names, name.release());
  }
  SSL_CTX_set_client_CA_list(context, names);
}

// A device that does not accept our key ends the connection after it received the certificate, and
// its alert may be lost. A broken link reveals nothing about keys.
Error refused_later(const Error& why) {
  if (why.code() != errc::closed) return why;
  return {errc::device_unauthorized,
          "the device ended the connection after our certificate: " + why.message()};
}

}  // namespace

Task<std::unique_ptr<TlsStream>> start_tls_client(ByteStreamPtr inner, Bytes already_read,
                                                  TlsClientOptions options) {
  CO_TRY(auto context, make_context(Side::client));
  SSL_CTX_set_cert_cb(context.get(), choose_certificate, &options);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(context.get(), accept_any_certificate, nullptr);
  auto stream = std::make_unique<SslStream>(std::move(inner), std::move(context));
  SSL_set_connect_state(stream->ssl());
  stream->feed(already_read);
  CO_TRY_VOID(co_await stream->handshake());
  if (options.await_first_byte) {
    const auto first = co_await stream->await_first_byte();
    if (!first) co_return std::unexpected(refused_later(first.error()));
  }
  SSL_set_cert_cb(stream->ssl(), nullptr, nullptr);  // `options` is destroyed after this call
  co_return stream;
}

Task<std::unique_ptr<TlsStream>> start_tls_server(ByteStreamPtr inner, Bytes already_read,
                                                  TlsServerOptions options) {
  CO_TRY(auto context, make_context(Side::server));
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_cert_verify_callback(context.get(), accept_known_key, &options);
  name_authorities(context.get(), options.authorised_fingerprints);
  auto stream = std::make_unique<SslStream>(std::move(inner), std::move(context));
  CO_TRY_VOID(use_key(stream->ssl(), options.key));
  SSL_set_accept_state(stream->ssl());
  stream->feed(already_read);
  CO_TRY_VOID(co_await stream->handshake());
  co_return stream;
}

}  // namespace adbproto
