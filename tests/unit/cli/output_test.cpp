#include "cli/output.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <string>
#include <thread>

using namespace clawperator::cli;

namespace {

// stdout is somebody else's while this lives.
class Redirected {
 public:
  explicit Redirected(int to) : saved_(dup(1)) { dup2(to, 1); }
  ~Redirected() {
    dup2(saved_, 1);
    close(saved_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int saved_;
};

std::string read_to_end(int fd) {
  std::string text;
  char piece[4096];
  for (ssize_t got = 0; (got = read(fd, piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

TEST_CASE("output: everything arrives through a slow pipe that takes no waiting") {
  int pipe_ends[2];
  REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
  fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
  const std::string text(1 << 20, 'x');
  std::string received;
  std::thread reader([&] { received = read_to_end(pipe_ends[0]); });
  bool written = false;
  {
    const Redirected redirected(pipe_ends[1]);
    close(pipe_ends[1]);
    written = write_all(Stream::out, text);
  }
  reader.join();
  close(pipe_ends[0]);
  CHECK(written);
  CHECK(received == text);
}

TEST_CASE("output: a reader that has gone is exit code 1 and no crash") {
  std::signal(SIGPIPE, SIG_IGN);
  int pipe_ends[2];
  REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
  close(pipe_ends[0]);
  Answer answer;
  answer.json = "{}";
  int code = 0;
  {
    const Redirected redirected(pipe_ends[1]);
    close(pipe_ends[1]);
    code = print_answer(answer, OutputMode::json);
  }
  CHECK(code == 1);
}

TEST_CASE("output: what a device named acts on no terminal and is whole in a pipe") {
  const std::string name = "a\x1b[2Jb\nc";
  int keyboard = -1;
  int terminal = -1;
  REQUIRE(::openpty(&keyboard, &terminal, nullptr, nullptr, nullptr) == 0);
  std::string line, text;
  {
    const Redirected redirected(terminal);
    line = line_for(Stream::out, name);
    text = text_for(Stream::out, name);
  }
  CHECK(line == "a?[2Jb?c");
  CHECK(text == "a?[2Jb\nc");
  int pipe_ends[2];
  REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
  {
    const Redirected redirected(pipe_ends[1]);
    line = line_for(Stream::out, name);
    text = text_for(Stream::out, name);
  }
  for (const int end : {keyboard, terminal, pipe_ends[0], pipe_ends[1]}) close(end);
  CHECK(line == name);
  CHECK(text == name);
}

TEST_CASE("output: a full disk is exit code 1") {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(full >= 0);
  Answer answer;
  answer.json = "{}";
  int code = 0;
  {
    const Redirected redirected(full);
    code = print_answer(answer, OutputMode::json);
  }
  close(full);
  CHECK(code == 1);
}
