#include "adbproto/client/shell.hpp"

#include <catch2/catch.hpp>

#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/scripted_stream.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

std::string shell_packet(ShellId id, std::string_view payload) {
  return std::string(as_text(encode_shell_packet(id, as_bytes(payload))));
}

// stdout, stderr, stdout, exit 44.
std::string sample() {
  return shell_packet(ShellId::standard_out, "one ") + shell_packet(ShellId::standard_err, "oops") +
         shell_packet(ShellId::standard_out, "two") + shell_packet(ShellId::exit, "\x2c");
}

Result<ShellOutput> read_script(std::string_view bytes, Framing framing, Manners manners = {},
                                std::size_t limit = kMaxShellOutput) {
  Loop loop;
  ScriptedStream stream(loop.executor(), Script().says(bytes), manners);
  return loop.run(read_shell_output(&stream, framing, limit));
}

Task<std::string> read_pieces(OutputStream* output) {
  std::string text;
  for (;;) {
    const auto piece = co_await output->next();
    if (!piece && piece.error().code() == errc::closed) co_return text;
    if (!piece) co_return std::unexpected(piece.error());
    text += as_text(*piece);
  }
}

}  // namespace

TEST_CASE("shell: the three channels are separated, at every split", "[loopback]") {
  const std::string bytes = sample();
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    INFO("split at " << at);
    const auto output = read_script(bytes, Framing::shell_v2, {.split_at = at});
    REQUIRE(output);
    CHECK(output->out == "one two");
    CHECK(output->err == "oops");
    CHECK(output->exit_status == 44);
  }
}

TEST_CASE("shell: the status is an unsigned byte", "[loopback]") {
  const auto output = read_script(shell_packet(ShellId::exit, "\x89"), Framing::shell_v2);
  REQUIRE(output);
  CHECK(output->exit_status == 137);
}

TEST_CASE("shell: a framed stream that ends before its exit shell_packet is no success",
          "[loopback]") {
  const std::string bytes = sample();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    INFO("cut at " << at);
    const auto output =
        read_script(bytes, Framing::shell_v2, {.cut_at = at, .cut_with = errc::closed});
    REQUIRE_FALSE(output);
    CHECK(output.error().code() == errc::closed);
  }
}

TEST_CASE("shell: raw output lasts to the end of the stream and has no status", "[loopback]") {
  const auto output = read_script("text\n", Framing::raw, {.piece = 2});
  REQUIRE(output);
  CHECK(output->out == "text\n");
  CHECK_FALSE(output->exit_status);
  const auto lost = read_script("text\n", Framing::raw, {.cut_at = 3});
  REQUIRE_FALSE(lost);
  CHECK(lost.error().code() == errc::io);
}

TEST_CASE("shell: output beyond the limit is refused", "[loopback]") {
  const Framing framing = GENERATE(Framing::raw, Framing::shell_v2);
  const std::string text(2000, 'x');
  const auto bytes = framing == Framing::raw ? text : shell_packet(ShellId::standard_out, text);
  const auto output = read_script(bytes, framing, {.piece = 100}, 1000);
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::limit);
}

TEST_CASE("shell: a hostile length is an error, not an allocation", "[loopback]") {
  const std::string header("\x01\xff\xff\xff\xff", 5);
  const auto output = read_script(header, Framing::shell_v2, {.end = Manners::End::stays_silent});
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::limit);
}

TEST_CASE("shell: what a later device says beside output and status is skipped",
          "[loopback][F30]") {
  const std::string news("\x63\x03\0\0\0new", 8);
  const auto output = read_script(news + sample() + news, Framing::shell_v2, {});
  REQUIRE(output);
  CHECK(output->exit_status);
}

TEST_CASE("output stream: stdout in pieces, stderr kept, status known", "[loopback]") {
  const std::string bytes = sample();
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    INFO("split at " << at);
    Loop loop;
    OutputStream output(std::make_unique<ScriptedStream>(loop.executor(), Script().says(bytes),
                                                         Manners{.split_at = at}),
                        Framing::shell_v2);
    CHECK(loop.run(read_pieces(&output)) == "one two");
    CHECK(output.err() == "oops");
    CHECK(output.exit_status() == 44);
  }
}

TEST_CASE("output stream: it has ended for good after the exit shell_packet", "[loopback]") {
  Loop loop;
  OutputStream output(std::make_unique<ScriptedStream>(loop.executor(), Script().says(sample()),
                                                       Manners{.end = Manners::End::stays_silent}),
                      Framing::shell_v2);
  CHECK(loop.run(read_pieces(&output)) == "one two");
  auto again = loop.start(read_pieces(&output));
  loop.settle();
  REQUIRE(again->done());
  CHECK(again->result() == "");
}

TEST_CASE("output stream: only the first 4 KiB of stderr are kept", "[loopback]") {
  Loop loop;
  const std::string text(3000, 'e');
  OutputStream output(std::make_unique<ScriptedStream>(
                          loop.executor(), Script()
                                               .says(shell_packet(ShellId::standard_err, text))
                                               .says(shell_packet(ShellId::standard_err, text))),
                      Framing::shell_v2);
  CHECK(loop.run(read_pieces(&output)) == "");
  CHECK(output.err() == std::string(4096, 'e'));
  CHECK_FALSE(output.exit_status());
}

TEST_CASE("output stream: packets that only a client sends are refused", "[loopback]") {
  Loop loop;
  OutputStream output(std::make_unique<ScriptedStream>(
                          loop.executor(), Script().says(shell_packet(ShellId::close_stdin, ""))),
                      Framing::shell_v2);
  const auto text = loop.run(read_pieces(&output));
  REQUIRE_FALSE(text);
  CHECK(text.error().code() == errc::protocol);
}

TEST_CASE("run_shell: v2 where the device has it, the old shell otherwise", "[loopback]") {
  Loop loop;
  FakeDevice modern(loop, {"shell_v2"});
  modern.serve("shell,v2,raw:id", prints("uid=2000\n", "", 3));
  const auto framed = loop.run(run_shell(&modern, "id", 1s));
  REQUIRE(framed);
  CHECK(framed->out == "uid=2000\n");
  CHECK(framed->exit_status == 3);

  FakeDevice old(loop, {});
  old.serve("shell:id", says("uid=2000\r\n"));
  const auto raw = loop.run(run_shell(&old, "id", 1s));
  REQUIRE(raw);
  CHECK(raw->out == "uid=2000\r\n");
  CHECK_FALSE(raw->exit_status);
}

TEST_CASE("run_shell: a command that does not end is cut off at its deadline", "[loopback]") {
  ManualTime time;
  Loop loop;
  FakeDevice device(loop, {"shell_v2"});
  device.serve("shell,v2,raw:sleep", hangs(shell_packet(ShellId::standard_out, "zzz")));
  const auto output = time.run(loop, run_shell(&device, "sleep 9", 2s));
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::deadline_exceeded);
  CHECK(time.elapsed() >= 2s);
  CHECK(time.elapsed() < 3s);
}

TEST_CASE("run_shell: a refused service is refused", "[loopback]") {
  Loop loop;
  FakeDevice device(loop, {"shell_v2"});
  const auto output = loop.run(run_shell(&device, "id", 1s));
  REQUIRE_FALSE(output);
  CHECK(output.error().code() == errc::refused);
}
