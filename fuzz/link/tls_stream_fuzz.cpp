// Invariants: records that a peer invents, or that are changed on the way between two honest sides,
// crash nothing and never come out as other data; both sides end once the link does.

#include <cstdint>
#include <cstdlib>

#include "adbproto/link/tls_stream.hpp"
#include "link/tampered_link.hpp"

using namespace adbproto;

namespace {

constexpr std::string_view kSecret = "the only bytes that may come out";

const RsaKey& key() {
  static const RsaKey kMade = *RsaKey::generate();
  return kMade;
}

asio::awaitable<void> read_all(TlsStream* stream) {
  std::string text;
  Bytes buffer(4096);
  for (;;) {
    const auto size = co_await stream->read_some(buffer);
    if (!size) break;
    text += as_text(ByteView(buffer).first(*size));
  }
  if (!kSecret.starts_with(text)) std::abort();
}

asio::awaitable<void> run_client(ByteStreamPtr link) {
  TlsClientOptions options{.choose_key = [](const auto&) { return key(); },
                           .await_first_byte = false};
  const auto stream = co_await start_tls_client(std::move(link), {}, std::move(options));
  if (stream) co_await read_all(stream->get());
}

asio::awaitable<void> run_server(ByteStreamPtr link, Bytes already_read) {
  auto stream =
      co_await start_tls_server(std::move(link), std::move(already_read), TlsServerOptions(key()));
  if (!stream) co_return;
  (void)co_await (*stream)->write_all(as_bytes(kSecret));
  (*stream)->close();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 16'384) return 0;
  const ByteView script(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  fuzz::Conversation talk;
  switch (data[0] % 4) {
    case 0:
      talk.start(run_client(talk.ours(script)));
      talk.start(run_server(talk.theirs(), {}));
      break;
    case 1:
      talk.start(run_client(talk.ours()));
      talk.start(fuzz::say(talk.theirs(), script));
      break;
    case 2:
      talk.start(run_server(talk.ours(), {}));
      talk.start(fuzz::say(talk.theirs(), script));
      break;
    default: talk.start(run_server(talk.ours(), Bytes(script.begin(), script.end())));
  }
  talk.run();
  return 0;
}
