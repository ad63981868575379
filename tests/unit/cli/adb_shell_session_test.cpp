#include "cli/adb/shell_session.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "adbproto/wire/errc.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/pipe.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/scripted_stream.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace clawperator::cli;
using namespace std::chrono_literals;

namespace {

std::string packet(ShellId id, std::string_view payload) {
  return std::string(as_text(encode_shell_packet(id, as_bytes(payload))));
}

// A session whose device says `script`, with our own three pipes.
struct Run {
  Pipe in;
  Pipe out;
  Pipe err;

  Result<int> session(const std::string& said, SessionOptions options, Manners manners = {}) {
    Loop loop;
    ScriptedStream stream(loop.executor(), Script().says(said), manners);
    options.in = in.read_end();
    options.out = out.write_end();
    options.err = err.write_end();
    return loop.run(run_session(&stream, options));
  }
};

}  // namespace

TEST_CASE("session: out, err and the exit code go where they belong, at every split") {
  const std::string said = packet(ShellId::standard_out, "one ") +
                           packet(ShellId::standard_err, "oops") +
                           packet(ShellId::standard_out, "two") + packet(ShellId::exit, "\x2c");
  for (std::size_t at = 0; at <= said.size(); ++at) {
    CAPTURE(at);
    Run run;
    CHECK(run.session(said, {}, {.split_at = at}) == 44);
    CHECK(run.out.take() == "one two");
    CHECK(run.err.take() == "oops");
  }
}

TEST_CASE("session: what an unframed service says is all output, and its end is success") {
  Run run;
  CHECK(run.session("raw \x01\x02", {.framing = Framing::raw}) == 0);
  CHECK(run.out.take() == "raw \x01\x02");
}

TEST_CASE("session: a command without its exit packet did not succeed") {
  Run run;
  CHECK(run.session(packet(ShellId::standard_out, "half"), {}) == kNoExitStatus);
  CHECK(run.out.take() == "half");
}

TEST_CASE("session: a link that breaks is no success, framed or not") {
  for (const Framing framing : {Framing::shell_v2, Framing::raw}) {
    Run run;
    const Manners manners{.cut_at = 5, .cut_with = errc::link_lost};
    CHECK(run.session(packet(ShellId::standard_out, "half"), {.framing = framing}, manners) ==
          kNoExitStatus);
  }
}

TEST_CASE("session: a length without its data ends it") {
  Run run;
  CHECK(run.session(std::string("\x01\xff\xff\xff\xff", 5) + "some", {}) == kNoExitStatus);
}

TEST_CASE("session: a new window size whose signal was lost goes before the next key") {
  int terminal = -1;
  int keyboard = -1;
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  REQUIRE(::openpty(&terminal, &keyboard, nullptr, nullptr, &size) == 0);
  termios raw{};
  ::tcgetattr(keyboard, &raw);
  ::cfmakeraw(&raw);
  ::tcsetattr(keyboard, TCSANOW, &raw);
  Pipe out;
  Loop loop;
  auto [ours, device] = make_memory_pair(loop.executor());
  const auto session = loop.start(
      run_session(ours.get(), {.keyboard = Keyboard::raw, .in = keyboard, .out = out.write_end()}));
  CHECK(loop.run(read_text(device.get(), 14)) == packet(ShellId::window_size, "24x80,0x0"));

  size.ws_row = 44;
  REQUIRE(::ioctl(terminal, TIOCSWINSZ, &size) == 0);
  REQUIRE(::write(terminal, "k", 1) == 1);
  CHECK(loop.run(read_text(device.get(), 20)) ==
        packet(ShellId::window_size, "44x80,0x0") + packet(ShellId::standard_in, "k"));

  const std::string end = packet(ShellId::exit, std::string(1, '\x03'));
  REQUIRE(loop.run(device->write_all(as_bytes(end))));
  CHECK(loop.finish(session) == 3);
  ::close(terminal);
  ::close(keyboard);
}

TEST_CASE("session: our output has no reader") {
  std::signal(SIGPIPE, SIG_IGN);
  Run run;
  run.out.close_read();
  const std::string said = packet(ShellId::standard_out, "x") + packet(ShellId::exit, "\0");
  CHECK(run.session(said, {}) == kClosedOutput);
}

// A descriptor that takes nothing: a disk that is full, or a stream that is closed.
class Full {
 public:
  Full() : fd_(::open("/dev/full", O_WRONLY | O_CLOEXEC)) { REQUIRE(fd_ >= 0); }
  ~Full() { ::close(fd_); }
  Full(const Full&) = delete;
  Full& operator=(const Full&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

TEST_CASE("session: output that cannot be written is an error of its own") {
  const Full full;
  for (const Framing framing : {Framing::shell_v2, Framing::raw}) {
    Loop loop;
    const std::string said = packet(ShellId::standard_out, "x") + packet(ShellId::exit, "\x02");
    ScriptedStream stream(loop.executor(), Script().says(said), Manners{});
    CHECK(loop.run(run_session(&stream, {.framing = framing, .in = -1, .out = full.fd()})) ==
          kFailedOutput);
  }
}

TEST_CASE("session: errors without a reader stop no command") {
  const Full full;
  std::signal(SIGPIPE, SIG_IGN);
  Pipe unread;
  unread.close_read();
  for (const int err : {full.fd(), unread.write_end()}) {
    Loop loop;
    Pipe out;
    const std::string said = packet(ShellId::standard_out, "a") +
                             packet(ShellId::standard_err, "x") +
                             packet(ShellId::standard_out, "c") + packet(ShellId::exit, "\x03");
    ScriptedStream stream(loop.executor(), Script().says(said), Manners{});
    CHECK(loop.run(run_session(&stream, {.in = -1, .out = out.write_end(), .err = err})) == 3);
    CHECK(out.take() == "ac");
  }
}

TEST_CASE("session: input is framed, and its end is sent") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  Pipe in;
  in.put("typed");
  in.close_write();
  const auto session =
      loop.start(run_session(host.get(), {.in = in.read_end(), .out = -1, .err = -1}));
  const std::string wanted =
      packet(ShellId::standard_in, "typed") + packet(ShellId::close_stdin, "");
  CHECK(loop.run(read_text(device.get(), wanted.size())) == wanted);
  CHECK_FALSE(session->done());
  const std::string exit = packet(ShellId::exit, "\x03");
  REQUIRE(loop.run(device->write_all(as_bytes(exit))));
  CHECK(loop.finish(session) == 3);
}

TEST_CASE("session: unframed input is sent as it is, and its end is kept to ourselves") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  Pipe in;
  in.put("typed");
  in.close_write();
  const auto session = loop.start(run_session(
      host.get(), {.framing = Framing::raw, .in = in.read_end(), .out = -1, .err = -1}));
  CHECK(loop.run(read_text(device.get(), 5)) == "typed");
  loop.settle();
  CHECK_FALSE(session->done());
  device->close();
  CHECK(loop.finish(session) == 0);
}

TEST_CASE("session: a command that does not get its input's end is left after a while") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  SessionOptions options{.framing = Framing::raw, .in = -1, .out = -1, .err = -1};
  options.stay_after_input = 10ms;
  CHECK(loop.run(run_session(host.get(), options)) == 0);
}

TEST_CASE("session: the escape character leaves, and what was typed before it is sent") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  Pipe in;
  in.put("ls\r~.never");
  const auto session = loop.start(run_session(
      host.get(),
      {.keyboard = Keyboard::raw, .escape = '~', .in = in.read_end(), .out = -1, .err = -1}));
  CHECK(loop.finish(session) == 0);
  const std::string wanted = packet(ShellId::standard_in, "ls\r");
  CHECK(loop.run(read_text(device.get(), wanted.size())) == wanted);
}

TEST_CASE("session: output without a reader stops the device, and is not lost") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  Pipe out;
  const auto session =
      loop.start(run_session(host.get(), {.in = -1, .out = out.write_end(), .err = -1}));
  const Bytes much = noise(1 << 20);
  const Bytes said = encode_shell_packet(ShellId::standard_out, much);
  const auto sent = loop.start(device->write_all(said));
  loop.settle();
  CHECK_FALSE(session->done());
  std::string got;
  while (got.size() < much.size()) {
    got += out.take();
    loop.settle();
  }
  CHECK(got == as_text(much));
  CHECK(sent->done());
  device->close();
  CHECK(loop.finish(session) == kNoExitStatus);
}

TEST_CASE("session: a standard stream keeps the mode that its other users gave it") {
  Run run;
  CHECK(run.session(packet(ShellId::exit, "\x01"), {}) == 1);
  for (const int fd : {run.in.read_end(), run.out.write_end(), run.err.write_end()}) {
    CHECK((::fcntl(fd, F_GETFL) & O_NONBLOCK) == 0);
  }
}

TEST_CASE("session: files and /dev/null, which epoll does not take, are read all the same") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  char name[] = "/tmp/session-XXXXXX";
  const int file = ::mkstemp(name);
  REQUIRE(file >= 0);
  ::unlink(name);
  REQUIRE(::write(file, "from a file", 11) == 11);
  ::lseek(file, 0, SEEK_SET);
  const auto session = loop.start(run_session(host.get(), {.in = file, .out = -1, .err = -1}));
  const std::string wanted =
      packet(ShellId::standard_in, "from a file") + packet(ShellId::close_stdin, "");
  CHECK(loop.run(read_text(device.get(), wanted.size())) == wanted);
  device->close();
  CHECK(loop.finish(session) == kNoExitStatus);
  ::close(file);
}

TEST_CASE("session: a cancelled session ends at once") {
  Loop loop;
  auto [device, host] = make_memory_pair(loop.executor());
  Pipe in;
  const auto session =
      loop.start(run_session(host.get(), {.in = in.read_end(), .out = -1, .err = -1}));
  loop.settle();
  session->cancel();
  // Both directions are unwound.
  CHECK_THROWS_AS(static_cast<void>(loop.finish(session)), std::exception);
}
