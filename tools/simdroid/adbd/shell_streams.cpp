#include "simdroid/adbd/shell_streams.hpp"

#include "adbproto/wire/shell_packet.hpp"
#include "simdroid/memory_stream.hpp"

namespace simdroid {
namespace {

// The size that a pipe or socket pair passes on at once.
constexpr std::size_t kChunk = 64 * 1024;
constexpr std::size_t kMaxTypedLine = 64 * 1024;

// stdout and stderr share the stream: one writes at a time.
class Turn {
 public:
  explicit Turn(const asio::any_io_executor& executor) : free_(executor) {}
  asio::awaitable<void> take() {
    while (taken_) co_await free_.wait();
    taken_ = true;
  }
  void leave() {
    taken_ = false;
    free_.notify_all();
  }

 private:
  bool taken_ = false;
  Signal free_;
};

// Ends the turn when its holder is done or cancelled.
struct LeaveTurn {
  void operator()(Turn* turn) const { turn->leave(); }
};
using TurnTaken = std::unique_ptr<Turn, LeaveTurn>;

class Sink final : public ByteStream {
 public:
  Sink(std::shared_ptr<ByteStream> stream, std::shared_ptr<Turn> turn, ShellMode mode, ShellId id)
      : stream_(std::move(stream)), turn_(std::move(turn)), mode_(mode), id_(id) {}

  Task<std::size_t> read_some(std::span<std::byte>) override {
    co_return fail(errc::io, "Bad file descriptor");
  }

  Task<void> write_all(ByteView bytes) override {
    const auto stream = stream_;
    const auto turn = turn_;
    co_await turn->take();
    const TurnTaken taken(turn.get());
    while (!bytes.empty()) {
      const ByteView piece = bytes.first(std::min(bytes.size(), kChunk));
      const Bytes packet = encode(piece);
      CO_TRY_VOID(co_await stream->write_all(packet));
      bytes = bytes.subspan(piece.size());
    }
    co_return ok();
  }

  void close() override {}

 private:
  [[nodiscard]] Bytes encode(ByteView piece) const {
    Bytes text(piece.begin(), piece.end());
    if (mode_.terminal) {
      text.clear();
      for (const std::byte c : piece) {
        if (c == std::byte{'\n'}) text.push_back(std::byte{'\r'});
        text.push_back(c);
      }
    }
    return mode_.framed ? encode_shell_packet(id_, text) : text;
  }

  std::shared_ptr<ByteStream> stream_;
  std::shared_ptr<Turn> turn_;
  ShellMode mode_;
  ShellId id_;
};

}  // namespace

ShellStreams::ShellStreams(asio::any_io_executor executor, std::shared_ptr<ByteStream> stream,
                           ShellMode mode)
    : executor_(std::move(executor)),
      stream_(std::move(stream)),
      mode_(mode),
      interrupted_(executor_) {
  auto ends = make_memory_pair(executor_);
  stdin_ = std::move(ends.first);
  io_.in = std::move(ends.second);
  const auto turn = std::make_shared<Turn>(executor_);
  io_.out = std::make_shared<Sink>(stream_, turn, mode_, ShellId::standard_out);
  // A terminal has one output only.
  const ShellId err = mode_.terminal ? ShellId::standard_out : ShellId::standard_err;
  io_.err = std::make_shared<Sink>(stream_, turn, mode_, err);
}

asio::awaitable<void> ShellStreams::feed() {
  Bytes buffer(kChunk);
  ShellChunkReader reader;
  while (true) {
    const auto size = co_await stream_->read_some(buffer);
    if (!size) co_return;
    const ByteView bytes = ByteView(buffer).first(*size);
    if (!mode_.framed) {
      co_await take(bytes);
      continue;
    }
    reader.feed(bytes);
    while (true) {
      const auto chunk = reader.next();
      if (!chunk) co_return;
      if (!*chunk) break;
      if ((*chunk)->id == ShellId::standard_in) co_await take((*chunk)->piece);
      if ((*chunk)->id == ShellId::close_stdin && !mode_.terminal) stdin_->close();
    }
  }
}

// A process that no longer reads must not stop the reading from the host.
Task<void> ShellStreams::take(ByteView bytes) {
  if (mode_.terminal) co_return co_await type(bytes);
  co_return co_await stdin_->write_all(bytes);
}

Task<void> ShellStreams::type(ByteView bytes) {
  constexpr char kInterrupt = 3, kEndOfFile = 4, kBackspace = 8, kDelete = 127;
  std::string echo;
  std::string entered;
  for (const char c : as_text(bytes)) {
    if (c == kInterrupt) {
      echo += "^C\n";
      line_.clear();
      interrupted_.notify_all();
    } else if (c == kEndOfFile) {
      if (line_.empty()) stdin_->close();
    } else if (c == kBackspace || c == kDelete) {
      if (line_.empty()) continue;
      line_.pop_back();
      echo += "\b \b";
    } else if (c == '\r' || c == '\n') {
      echo += '\n';
      entered += std::exchange(line_, {}) + '\n';
    } else if (line_.size() < kMaxTypedLine) {
      echo += c;
      line_ += c;
    }
  }
  if (!echo.empty()) CO_TRY_VOID(co_await io_.out->write_all(as_bytes(echo)));
  if (!entered.empty()) CO_TRY_VOID(co_await stdin_->write_all(as_bytes(entered)));
  co_return ok();
}

asio::awaitable<void> ShellStreams::finish(int status) {
  if (!mode_.framed) co_return;
  const std::byte code{static_cast<unsigned char>(status & 0xff)};
  const Bytes packet = encode_shell_packet(ShellId::exit, ByteView(&code, 1));
  co_await stream_->write_all(packet);
}

}  // namespace simdroid
