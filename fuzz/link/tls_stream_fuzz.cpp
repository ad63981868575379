// Invariants: records that a peer invents, or that are changed on the way between two honest sides,
// crash nothing and never come out as other data; both sides end once the link does.

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <cstdint>
#include <cstdlib>

#include "adbproto/link/memory_stream.hpp"
#include "adbproto/link/tls_stream.hpp"

using namespace adbproto;

namespace {

constexpr std::string_view kSecret = "the only bytes that may come out";

const RsaKey& key() {
  static const RsaKey kMade = *RsaKey::generate();
  return kMade;
}

// Changes the bytes that pass: two bytes of the script say how many to leave alone, one what to
// flip in the next.
class Tampering final : public ByteStream {
 public:
  Tampering(ByteStreamPtr inner, ByteView script) : inner_(std::move(inner)), script_(script) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    CO_TRY(const std::size_t size, co_await inner_->read_some(into));
    for (std::size_t i = 0; i < size; ++i) {
      if (left_ > 0) {
        --left_;
      } else if (script_.size() >= 3) {
        into[i] ^= script_[2];
        left_ = load_le<std::uint16_t>(script_.data()) % 2048u;
        script_ = script_.subspan(3);
      }
    }
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { return inner_->write_all(bytes); }
  void close() override { inner_->close(); }

 private:
  ByteStreamPtr inner_;
  ByteView script_;
  std::size_t left_ = 0;
};

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

asio::awaitable<void> say(ByteStreamPtr link, ByteView bytes) {
  (void)co_await link->write_all(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 16'384) return 0;
  const ByteView script(reinterpret_cast<const std::byte*>(data + 1), size - 1);
  asio::io_context context{1};
  const auto start = [&](asio::awaitable<void> task) {
    asio::co_spawn(context, std::move(task), [](const std::exception_ptr& thrown) {
      if (thrown) std::abort();
    });
  };
  auto [ours, theirs] = make_memory_pair(context.get_executor(), 1 << 20);
  switch (data[0] % 4) {
    case 0:
      start(run_client(std::make_unique<Tampering>(std::move(ours), script)));
      start(run_server(std::move(theirs), {}));
      break;
    case 1:
      start(run_client(std::move(ours)));
      start(say(std::move(theirs), script));
      break;
    case 2:
      start(run_server(std::move(ours), {}));
      start(say(std::move(theirs), script));
      break;
    default:
      start(run_server(std::move(ours), Bytes(script.begin(), script.end())));
      theirs.reset();
  }
  context.run_for(std::chrono::seconds(1));
  return 0;
}
