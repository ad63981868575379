#include "cli/adb/shell_session.hpp"

#include <sys/ioctl.h>
#include <termios.h>

#include <asio/signal_set.hpp>
#include <atomic>
#include <csignal>

#include "cli/adb/adb_command.hpp"
#include "cli/descriptor.hpp"
#include "cli/output.hpp"

namespace clawperator::cli {
namespace {

// Signals that would end the process and leave the terminal raw; they have no other handler.
constexpr std::array kEndings = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};

// The one RawTerminal writes it before and after it handles signals; the handler reads it.
std::atomic<int> raw_fd = -1;
termios cooked;
std::array<struct sigaction, kEndings.size()> earlier;

void restore() {
  const int fd = raw_fd.exchange(-1);
  if (fd >= 0) ::tcsetattr(fd, TCSAFLUSH, &cooked);
}

// The signal takes its normal effect once the handler has returned.
void on_ending(int signal) {
  restore();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

termios raw_of(termios mode) {
  ::cfmakeraw(&mode);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  return mode;
}

// Absent when `fd` is no terminal.
std::optional<WindowSize> window_size(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return WindowSize{size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel};
}

// A terminal in raw mode. The mode ends with this object, and with a signal that ends or stops the
// process. At most one exists at a time. Does nothing if `fd` is no terminal.
class RawTerminal {
 public:
  explicit RawTerminal(int fd) {
    if (::tcgetattr(fd, &cooked) != 0) return;
    struct sigaction action{};
    action.sa_handler = on_ending;
    raw_fd = fd;
    for (std::size_t i = 0; i < kEndings.size(); ++i)
      ::sigaction(kEndings[i], &action, &earlier[i]);
    const termios raw = raw_of(cooked);
    if (::tcsetattr(fd, TCSAFLUSH, &raw) != 0) restore();
  }

  ~RawTerminal() {
    if (raw_fd < 0) return;
    restore();
    for (std::size_t i = 0; i < kEndings.size(); ++i)
      ::sigaction(kEndings[i], &earlier[i], nullptr);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
};

constexpr std::size_t kInputSize =
    256 * 1024 - 16;  // with its header one packet of any adbd with shell v2
constexpr std::size_t kOutputSize = 256 * 1024;

// Memory that costs nothing before it is used: the time of a short command matters.
class Room {
 public:
  explicit Room(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}
  [[nodiscard]] std::span<std::byte> all() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_;
};

class Session {
 public:
  Session(const asio::any_io_executor& executor, ByteStream* stream, SessionOptions options)
      : stream_(stream),
        options_(options),
        in_(executor, options.in, Descriptor::Direction::in),
        out_(executor, options.out, Descriptor::Direction::out),
        err_(executor, options.err, Descriptor::Direction::out),
        resized_(executor),
        filter_(options.keyboard == Keyboard::raw ? options.escape : kNoEscape) {
    has_window_ = framed() && options.keyboard == Keyboard::raw && window_size(options.in);
    if (has_window_) resized_.add(SIGWINCH);
  }

  // Runs until the command has ended.
  Task<int> receive() {
    const Room room(kOutputSize);
    for (;;) {
      const auto size = co_await stream_->read_some(room.all());
      if (!size && !framed() && size.error().code() == errc::closed) co_return 0;
      if (!size) co_return std::unexpected(size.error());
      const ByteView got = room.all().first(*size);
      CO_TRY(const auto exit_code, co_await (framed() ? take_frames(got) : write_out(got)));
      if (exit_code) co_return *exit_code;
    }
  }

  // Runs until the user leaves, even after the input has ended.
  asio::awaitable<void> feed() {
    co_await pump();  // if the stream does not accept bytes, receive() reports why
    if (disconnected()) co_return;
    Timer leave(co_await asio::this_coro::executor, Clock::time_point::max());
    if (options_.stay_after_input != std::chrono::milliseconds::max()) {
      leave.expires_after(options_.stay_after_input);
    }
    const auto [error] = co_await leave.async_wait(kNoThrow);
    has_left_ = !error;
  }

  [[nodiscard]] bool disconnected() const { return filter_.disconnected(); }
  [[nodiscard]] bool has_left() const { return has_left_ || disconnected(); }

 private:
  [[nodiscard]] bool framed() const { return options_.framing == Framing::shell_v2; }

  Task<std::optional<int>> take_frames(ByteView bytes) {
    chunks_.feed(bytes);
    for (;;) {
      CO_TRY(const auto chunk, chunks_.next());
      if (!chunk) co_return std::optional<int>{};
      CO_TRY(const auto exit_code, co_await take(*chunk));
      if (exit_code) co_return exit_code;
    }
  }

  Task<std::optional<int>> take(ShellChunk chunk) {
    if (chunk.id == ShellId::standard_out) co_return co_await write_out(chunk.piece);
    if (chunk.id == ShellId::exit && !chunk.piece.empty()) {
      co_return std::to_integer<int>(chunk.piece.front());
    }
    if (chunk.id == ShellId::standard_err && err_.fd() >= 0) {
      // A failed write to stderr cannot be reported, and the command continues.
      co_await err_.write_all(chunk.piece);
    }
    co_return std::optional<int>{};
  }

  Task<void> pump() {
    const Room room(kShellHeaderSize + kInputSize +
                    1);  // for an escape character that the filter held back
    const auto input = room.all().subspan(kShellHeaderSize);
    if (has_window_) CO_TRY_VOID(co_await send_window());
    while (!filter_.disconnected()) {
      if (has_window_) CO_TRY_VOID(co_await wait_typed());
      auto size = co_await in_.read_some(input.first(kInputSize));
      if (!size) break;
      if (options_.keyboard == Keyboard::raw) {
        const std::string kept = filter_.take(as_text(input.first(*size)));
        std::ranges::copy(as_bytes(kept), input.begin());
        size = kept.size();
      }
      if (*size > 0) CO_TRY_VOID(co_await send_input(room.all(), *size));
    }
    // Old devices have no message for the end of input; closing the stream would cut their output
    // short.
    if (!framed() || filter_.disconnected()) co_return ok();
    co_return co_await stream_->write_all(encode_shell_packet(ShellId::close_stdin, {}));
  }

  // Waits for keys or a new window size. The size is sent at once: the stream has this one writer.
  // When both arrive in one turn of the event loop the signal is lost, so the size is read before
  // the keys, too.
  Task<void> wait_typed() {
    using namespace base::parallel;
    for (;;) {
      auto first = co_await (in_.wait_ready() || resized_.async_wait(kNoThrow));
      CO_TRY_VOID(co_await send_window());
      if (first.index() == 0) co_return std::get<0>(std::move(first));
    }
  }

  Task<void> send_window() {
    const auto size = window_size(in_.fd());
    if (!size || size == sent_size_) co_return ok();
    sent_size_ = size;
    co_return co_await stream_->write_all(encode_window_size(*size));
  }

  // `room` begins with space for the packet header.
  Task<void> send_input(std::span<std::byte> room, std::size_t size) {
    if (!framed()) co_return co_await stream_->write_all(room.subspan(kShellHeaderSize, size));
    const auto header = encode_shell_header(ShellId::standard_in, size);
    std::ranges::copy(header, room.begin());
    co_return co_await stream_->write_all(room.first(kShellHeaderSize + size));
  }

  // Returns the exit code when there can be no more output.
  Task<std::optional<int>> write_out(ByteView bytes) {
    if (out_.fd() < 0) co_return std::optional<int>{};
    const auto written = co_await out_.write_all(bytes);
    if (written) co_return std::optional<int>{};
    if (written.error().code() == errc::cancelled) co_return std::unexpected(written.error());
    if (written.error().code() == errc::closed) co_return kClosedOutput;
    print_err("adb: cannot write to stdout: " + written.error().message() + "\n");
    co_return kFailedOutput;
  }

  ByteStream* stream_;
  SessionOptions options_;
  Descriptor in_;
  Descriptor out_;
  Descriptor err_;
  asio::signal_set resized_;
  bool has_window_ = false;
  std::optional<WindowSize> sent_size_;
  bool has_left_ = false;
  EscapeFilter filter_;
  ShellChunkReader chunks_;
};

std::string words_for(const Error& error) {
  if (error.code() == errc::closed) return "adb: device ended the command without an exit status\n";
  return "adb: " + error.message() + "\n";
}

}  // namespace

void EscapeFilter::key(char c, std::string& out) {
  const State before = std::exchange(state_, State::mid_line);
  if (c == escape_ && before == State::line_start) {
    state_ = State::escaped;
    return;
  }
  if (c == escape_) {
    out += c;
    return;
  }
  if (before == State::escaped && c == '.') {
    state_ = State::disconnected;
    return;
  }
  if (before == State::escaped) out += escape_;
  out += c;
  if (c == '\n' || c == '\r') state_ = State::line_start;
}

std::string EscapeFilter::take(std::string_view typed) {
  if (escape_ == kNoEscape) return std::string(typed);
  std::string out;
  for (const char c : typed) {
    if (disconnected()) break;
    key(c, out);
  }
  return out;
}

Task<int> run_session(ByteStream* stream, SessionOptions options) {
  using namespace base::parallel;
  Session session(co_await asio::this_coro::executor, stream, options);
  std::signal(SIGTTIN, SIG_IGN);  // a read in the background then fails and does not stop us
  std::optional<RawTerminal> terminal;
  if (options.keyboard == Keyboard::raw) terminal.emplace(options.in);
  auto first = co_await (session.receive() || session.feed());
  if (session.disconnected()) write_all(Stream::err, "\r\n[ disconnected ]\r\n");
  terminal.reset();
  if (session.has_left()) co_return 0;
  if (first.index() == 1) co_return fail(errc::cancelled, "cancelled");
  const auto& ended = std::get<0>(first);
  if (ended || ended.error().code() == errc::cancelled) co_return ended;
  print_err(words_for(ended.error()));
  co_return kNoExitStatus;
}

}  // namespace clawperator::cli
