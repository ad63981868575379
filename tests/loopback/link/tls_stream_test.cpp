#include "adbproto/link/tls_stream.hpp"

#include <openssl/ssl.h>

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace base::parallel;
using namespace std::string_view_literals;

namespace {

RsaKey host_key() { return *RsaKey::from_pem(kKeyPem); }

const RsaKey& device_key() {
  static const RsaKey kMade = *RsaKey::generate();
  return kMade;
}

enum class FirstByte { awaited, not_awaited };

TlsClientOptions client_options(FirstByte first = FirstByte::not_awaited) {
  return {.choose_key = [](const auto&) { return host_key(); },
          .await_first_byte = first == FirstByte::awaited};
}

using TlsPtr = std::unique_ptr<TlsStream>;

struct Ends {
  Result<TlsPtr> client = fail(errc::unknown, "not tried");
  Result<TlsPtr> server = fail(errc::unknown, "not tried");
};

// Each side closes its link when it fails, as the owner of a connection does.
Task<Ends> join(ByteStreamPtr ours, ByteStreamPtr theirs, TlsClientOptions client,
                TlsServerOptions server) {
  auto [here, there] = co_await (start_tls_client(std::move(ours), {}, std::move(client)) &&
                                 start_tls_server(std::move(theirs), {}, std::move(server)));
  co_return Ends{std::move(here), std::move(there)};
}

Ends connect(Loop& loop, TlsClientOptions client = client_options(),
             TlsServerOptions server = TlsServerOptions(device_key()),
             std::size_t capacity = 64 * 1024) {
  auto [ours, theirs] = make_memory_pair(loop.executor(), capacity);
  auto ends =
      loop.run(join(std::move(ours), std::move(theirs), std::move(client), std::move(server)));
  return *std::move(ends);
}

// What goes through `inner`'s reads, spoilt at one place.
class SpoiltStream final : public ByteStream {
 public:
  enum class Spoil { cut, flip };
  SpoiltStream(ByteStreamPtr inner, std::size_t at, Spoil how)
      : inner_(std::move(inner)), at_(at), how_(how) {}

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    if (how_ == Spoil::cut && at_ == 0) {
      inner_->close();
      co_return fail(errc::closed, "cut by the test");
    }
    if (how_ == Spoil::cut) into = into.first(std::min(into.size(), at_));
    CO_TRY(const std::size_t size, co_await inner_->read_some(into));
    if (how_ == Spoil::flip && at_ < size) into[at_] ^= std::byte{0x40};
    at_ = at_ < size ? kNowhere : at_ - size;
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { return inner_->write_all(bytes); }
  void close() override { inner_->close(); }

 private:
  static constexpr std::size_t kNowhere = std::size_t{1} << 60;
  ByteStreamPtr inner_;
  std::size_t at_;
  Spoil how_;
};

// Its end is that of a link that broke.
class BreakingStream final : public ByteStream {
 public:
  explicit BreakingStream(ByteStreamPtr inner) : inner_(std::move(inner)) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const auto size = co_await inner_->read_some(into);
    if (!size) co_return fail(errc::io, "no route to host");
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { return inner_->write_all(bytes); }
  void close() override { inner_->close(); }

 private:
  ByteStreamPtr inner_;
};

Task<Bytes> write_and_read(ByteStream* stream, Bytes out, std::size_t in) {
  auto [sent, got] = co_await (stream->write_all(out) && read_exactly(stream, in));
  if (!sent) co_return std::unexpected(sent.error());
  co_return got;
}

}  // namespace

TEST_CASE("tls: both sides derive the same secret", "[loopback]") {
  Loop loop;
  const Ends ends = connect(loop);
  REQUIRE(ends.client);
  REQUIRE(ends.server);
  const auto ours = (*ends.client)->export_key("adb-label\0"sv, 64);
  const auto theirs = (*ends.server)->export_key("adb-label\0"sv, 64);
  REQUIRE(ours);
  CHECK(ours == theirs);
  CHECK(ours->size() == 64);
  CHECK((*ends.client)->export_key("adb-label", 64) != ours);
}

TEST_CASE("tls: the client chooses its key by the authorities that the server names",
          "[loopback]") {
  Loop loop;
  TlsServerOptions server(device_key());
  server.authorised_fingerprints = {std::string(64, 'A'), std::string(kKeyFingerprint)};
  std::vector<std::string> seen;
  TlsClientOptions client = client_options();
  client.choose_key = [&](const std::vector<std::string>& acceptable) {
    seen = acceptable;
    return host_key();
  };
  const Ends ends = connect(loop, client, server);
  REQUIRE(ends.client);
  CHECK(seen == server.authorised_fingerprints);
}

TEST_CASE("tls: megabytes go both ways at once, whatever fits the link", "[loopback]") {
  const std::size_t capacity = GENERATE(100u, 16'384u, 64u * 1024, 1u << 20);
  INFO(capacity);
  Loop loop;
  Ends ends = connect(loop, client_options(), TlsServerOptions(device_key()), capacity);
  REQUIRE(ends.client);
  REQUIRE(ends.server);
  const Bytes there = noise(3'000'000, 1);
  const Bytes back = noise(2'500'000, 2);
  const auto theirs = loop.start(write_and_read(ends.server->get(), back, there.size()));
  const auto ours = loop.run(write_and_read(ends.client->get(), there, back.size()));
  REQUIRE(ours);
  CHECK((*ours == back));
  CHECK((loop.finish(theirs) == there));
}

TEST_CASE("tls: one byte at a time gives the same", "[loopback]") {
  Loop loop;
  Ends ends = connect(loop, client_options(), TlsServerOptions(device_key()), 1);
  REQUIRE(ends.client);
  REQUIRE(ends.server);
  const auto theirs = loop.start(write_and_read(ends.server->get(), to_bytes("world"), 5));
  CHECK(loop.run(write_and_read(ends.client->get(), to_bytes("hello"), 5)) == to_bytes("world"));
  CHECK(loop.finish(theirs) == to_bytes("hello"));
}

TEST_CASE("tls: the awaited first byte is still there to read", "[loopback]") {
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto client =
      loop.start(start_tls_client(std::move(ours), {}, client_options(FirstByte::awaited)));
  auto server = loop.run(start_tls_server(std::move(theirs), {}, TlsServerOptions(device_key())));
  REQUIRE(server);
  loop.settle();
  CHECK_FALSE(client->done());
  REQUIRE(loop.run((*server)->write_all(as_bytes("CNXN"))));
  auto stream = loop.finish(client);
  REQUIRE(stream);
  CHECK(loop.run(read_text(stream->get(), 4)) == "CNXN");
}

TEST_CASE("tls: a refused certificate is known before the stream is handed out", "[loopback]") {
  Loop loop;
  TlsServerOptions server(device_key());
  std::string offered;
  server.accept_key = [&](const std::string& fingerprint) {
    offered = fingerprint;
    return false;
  };
  const Ends ends = connect(loop, client_options(FirstByte::awaited), server);
  REQUIRE_FALSE(ends.client);
  CHECK(ends.client.error().code() == errc::device_unauthorized);
  REQUIRE_FALSE(ends.server);
  CHECK(ends.server.error().code() == errc::device_unauthorized);
  CHECK(offered == kKeyFingerprint);
}

TEST_CASE("tls: a refused certificate that is not waited for fails the first read", "[loopback]") {
  Loop loop;
  TlsServerOptions server(device_key());
  server.accept_key = [](const std::string&) { return false; };
  const Ends ends = connect(loop, client_options(), server);
  REQUIRE(ends.client);
  const auto read = loop.run(read_text(ends.client->get(), 1));
  REQUIRE_FALSE(read);
  CHECK(read.error().code() == errc::device_unauthorized);
}

TEST_CASE("tls: a server that hangs up after the certificate has refused it", "[loopback]") {
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto client =
      loop.start(start_tls_client(std::move(ours), {}, client_options(FirstByte::awaited)));
  auto server = loop.run(start_tls_server(std::move(theirs), {}, TlsServerOptions(device_key())));
  REQUIRE(server);
  (*server)->close();
  const auto refused = loop.finish(client);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::device_unauthorized);
}

TEST_CASE("tls: a link that breaks after the certificate says nothing about keys", "[loopback]") {
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto breaking = std::make_unique<BreakingStream>(std::move(ours));
  auto client =
      loop.start(start_tls_client(std::move(breaking), {}, client_options(FirstByte::awaited)));
  auto server = loop.run(start_tls_server(std::move(theirs), {}, TlsServerOptions(device_key())));
  REQUIRE(server);
  (*server)->close();
  const auto broken = loop.finish(client);
  REQUIRE_FALSE(broken);
  CHECK(broken.error() == Error(errc::io, "no route to host"));
}

TEST_CASE("tls: the peer's first bytes may have been read before", "[loopback]") {
  const std::size_t early = GENERATE(1u, 5u, 100u, 4096u);
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  auto client = loop.start(start_tls_client(std::move(ours), {}, client_options()));
  Bytes hello(early);
  const auto size = loop.run(theirs->read_some(hello));
  REQUIRE(size);
  hello.resize(*size);
  auto server =
      loop.run(start_tls_server(std::move(theirs), hello, TlsServerOptions(device_key())));
  CHECK(server);
  CHECK(loop.finish(client));
}

TEST_CASE("tls: what is no TLS 1.3 is a protocol error", "[loopback]") {
  struct Case {
    std::string_view answer;
    std::string_view text;
  };
  const auto [answer, text] = GENERATE(values<Case>(
      {{"HTTP/1.1 400 Bad Request\r\n\r\n"sv, "the peer does not use TLS: wrong version number"},
       {"CNXN\1\0\0\1\0\0\x10\0"sv, "the peer does not use TLS: wrong version number"},
       {"\x15\3\3\0\2\2\x46"sv, "TLS failed: tlsv1 alert protocol version"},
       {"\x16\3\1\0\4\2\0\0\0"sv, "TLS failed: length mismatch"}}));
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  REQUIRE(loop.run(theirs->write_all(as_bytes(answer))));
  const auto failed = loop.run(start_tls_client(std::move(ours), {}, client_options()));
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code() == errc::protocol);
  CHECK(failed.error().message() == text);
}

namespace {

// The first flight of a client that speaks nothing newer.
Bytes client_hello(int version) {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(context, version);
  SSL* const ssl = SSL_new(context);
  BIO* const out = BIO_new(BIO_s_mem());
  SSL_set_bio(ssl, BIO_new(BIO_s_mem()), out);
  SSL_connect(ssl);
  Bytes hello(BIO_ctrl_pending(out));
  BIO_read(out, hello.data(), static_cast<int>(hello.size()));
  SSL_free(ssl);
  SSL_CTX_free(context);
  return hello;
}

}  // namespace

TEST_CASE("tls: TLS 1.2 is refused, 1.3 is taken", "[loopback]") {
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  const auto old = loop.run(start_tls_server(std::move(theirs), client_hello(TLS1_2_VERSION),
                                             TlsServerOptions(device_key())));
  REQUIRE_FALSE(old);
  CHECK(old.error().code() == errc::protocol);

  auto [here, there] = make_memory_pair(loop.executor());
  auto recent = loop.start(start_tls_server(std::move(there), client_hello(TLS1_3_VERSION),
                                            TlsServerOptions(device_key())));
  CHECK(loop.run(read_text(here.get(), 1)) == "\x16");  // a handshake record, no alert
}

TEST_CASE("tls: a link that is cut anywhere in the handshake fails both sides", "[loopback]") {
  using Spoil = SpoiltStream::Spoil;
  // Both flights are between 1 and 3 KB.
  for (std::size_t at = 0; at < 1000; at += 61) {
    INFO(at);
    Loop loop;
    auto [ours, theirs] = make_memory_pair(loop.executor());
    ByteStreamPtr spoilt = std::make_unique<SpoiltStream>(std::move(ours), at, Spoil::cut);
    auto server =
        loop.start(start_tls_server(std::move(theirs), {}, TlsServerOptions(device_key())));
    const auto client = loop.run(start_tls_client(std::move(spoilt), {}, client_options()));
    CHECK_FALSE(client);
    CHECK_FALSE(loop.finish(server));
  }
}

TEST_CASE("tls: a changed bit anywhere is an error, never other data", "[loopback]") {
  using Spoil = SpoiltStream::Spoil;
  for (std::size_t at = 0; at < 3000; at += 101) {
    INFO(at);
    Loop loop;
    auto [ours, theirs] = make_memory_pair(loop.executor());
    ByteStreamPtr spoilt = std::make_unique<SpoiltStream>(std::move(ours), at, Spoil::flip);
    auto client =
        loop.start(start_tls_client(std::move(spoilt), {}, client_options(FirstByte::awaited)));
    auto server =
        loop.start(start_tls_server(std::move(theirs), {}, TlsServerOptions(device_key())));
    loop.settle();
    if (!server->done()) continue;  // a length that grew: the client waits for more
    auto stream = server->result();
    if (!stream) continue;
    [[maybe_unused]] const auto sent = loop.run((*stream)->write_all(noise(3000)));
    stream->reset();
    loop.settle();
    if (!client->done()) continue;
    auto ended = client->result();
    if (!ended) continue;
    const auto read = loop.run(read_exactly(ended->get(), 3000));
    if (read) CHECK((*read == noise(3000)));
  }
}

TEST_CASE("tls: closing ends the pending read here and the next one there", "[loopback]") {
  Loop loop;
  Ends ends = connect(loop);
  REQUIRE(ends.client);
  REQUIRE(ends.server);
  auto read = loop.start(read_text(ends.client->get(), 1));
  loop.settle();
  (*ends.client)->close();
  CHECK(loop.finish(read).error().code() == errc::closed);
  CHECK(loop.run((*ends.client)->write_all(as_bytes("x"))).error().code() == errc::closed);
  CHECK(loop.run(read_text(ends.server->get(), 1)).error().code() == errc::closed);
}
