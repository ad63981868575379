// The host role against a peer that was written down: tolerated oddities, hostile packets, cut
// links.

#include "adbproto/client/transport_connection.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/scripted_device.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;
using namespace std::string_view_literals;

namespace {

using ConnectionPtr = std::unique_ptr<TransportConnection>;

// One command on a scripted device, whose stream adbd ends with CLSE twice, and one after it.
Script two_commands() {
  Script script = greeted();
  script.hears(wire({packet(Command::open, 1, 0, "shell:a\0"sv)}));
  script.says(wire({packet(Command::okay, 11, 1), packet(Command::write, 11, 1, "one"),
                    packet(Command::write, 11, 1, "+two"), packet(Command::close, 11, 1),
                    packet(Command::close, 11, 1)}));
  script.hears(wire({packet(Command::okay, 1, 11), packet(Command::okay, 1, 11),
                     packet(Command::close, 1, 11), packet(Command::open, 2, 0, "shell:b\0"sv)}));
  script.says(wire({packet(Command::okay, 12, 2), packet(Command::write, 12, 2, "three"),
                    packet(Command::close, 0, 2)}));
  return script;
}

Task<std::string> run_two_commands(ByteStreamPtr link) {
  CO_TRY(auto host, co_await TransportConnection::establish(std::move(link), host_options()));
  std::string text;
  for (const char* service : {"shell:a", "shell:b"}) {
    CO_TRY(auto stream, co_await host->open(service));
    CO_TRY(const std::string answer, co_await read_to_end(stream.get()));
    text += answer + "|";
  }
  co_return text;
}

Task<ConnectionPtr> establish_scripted(Loop& loop, const Script& script, Manners manners = {}) {
  return TransportConnection::establish(
      std::make_unique<ScriptedStream>(loop.executor(), script, manners), host_options());
}

}  // namespace

TEST_CASE("connection: CLSE twice and CLSE without an id harm nothing", "[loopback]") {
  Loop loop;
  CHECK(loop.run(run_two_commands(std::make_unique<ScriptedStream>(
            loop.executor(), two_commands()))) == "one+two|three|");
}

TEST_CASE("connection: every split of what the device says gives the same", "[loopback]") {
  const Script script = two_commands();
  for (std::size_t at = 1; at < script.said(); ++at) {
    INFO("split at " << at);
    Loop loop;
    CHECK(loop.run(run_two_commands(std::make_unique<ScriptedStream>(
              loop.executor(), script, Manners{.split_at = at}))) == "one+two|three|");
  }
  Loop loop;
  CHECK(loop.run(run_two_commands(std::make_unique<ScriptedStream>(
            loop.executor(), script, Manners{.piece = 1}))) == "one+two|three|");
}

TEST_CASE("connection: a link that fails at any byte ends the work with an error", "[loopback]") {
  const Script script = two_commands();
  const auto with = GENERATE(values<Errc>({errc::io, errc::closed}));
  const std::size_t handshake = greeted().said();
  for (std::size_t at = 0; at < script.said(); ++at) {
    INFO("cut at " << at);
    Loop loop;
    const auto text = loop.run(run_two_commands(std::make_unique<ScriptedStream>(
        loop.executor(), script, Manners{.cut_at = at, .cut_with = with})));
    REQUIRE_FALSE(text);
    CHECK(text.error().code() == (at < handshake ? with : errc::link_lost));
  }
}

TEST_CASE("connection: what arrived before the peer's close is read before the end", "[loopback]") {
  Loop loop;
  Script script = greeted();
  script.hears(wire({packet(Command::open, 1, 0, "x:\0"sv)}));
  script.says(wire({packet(Command::okay, 9, 1), packet(Command::write, 9, 1, "last words"),
                    packet(Command::close, 9, 1)}));
  auto host = loop.run(establish_scripted(loop, script, {.end = Manners::End::stays_silent}));
  REQUIRE(host);
  auto stream = loop.run((*host)->open("x:"));
  REQUIRE(stream);
  loop.settle();
  CHECK(loop.run(read_to_end(stream->get())) == "last words");
  const auto write = loop.run((*stream)->write_all(as_bytes("x")));
  REQUIRE_FALSE(write);
  CHECK(write.error().code() == errc::closed);
}

TEST_CASE("connection: an offer withdrawn before it is accepted gives a stream that has ended",
          "[loopback]") {
  Loop loop;
  std::unique_ptr<IncomingStream> offered;
  TransportOptions device;
  device.role = Role::device;
  device.banner = banner("device", FlowControl::classic);
  device.on_incoming = [&](std::unique_ptr<IncomingStream> incoming) {
    offered = std::move(incoming);
  };
  Script script;
  script.says(encode_packet(host_connect(), ChecksumRule::sum));
  script.says(wire({packet(Command::open, 5, 0, "late:\0"sv), packet(Command::close, 5, 1)}));
  auto connection = loop.run(TransportConnection::establish(
      std::make_unique<ScriptedStream>(loop.executor(), script,
                                       Manners{.end = Manners::End::stays_silent}),
      device));
  REQUIRE(connection);
  loop.settle();
  REQUIRE(offered);
  const auto stream = offered->accept();
  auto read = loop.start(read_to_end(stream.get()));
  loop.settle();
  REQUIRE(read->done());
  CHECK(read->result() == "");
}

TEST_CASE("connection: a peer that says nothing is given up after five seconds", "[loopback]") {
  ManualTime time;
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  const auto connection =
      time.run(loop, TransportConnection::establish(std::move(ours), host_options()));
  REQUIRE_FALSE(connection);
  CHECK(connection.error().code() == errc::deadline_exceeded);
  CHECK(time.elapsed() >= 5s);
  CHECK(time.elapsed() < 6s);
}

TEST_CASE("connection: what is no packet is a protocol error", "[loopback]") {
  Script script;
  script.says(std::string(64, 'x'));
  Loop loop;
  const auto connection = loop.run(establish_scripted(loop, script));
  REQUIRE_FALSE(connection);
  CHECK(connection.error().code() == errc::protocol);
}

TEST_CASE("connection: a device that wants a key or TLS says so", "[loopback]") {
  struct Row {
    const char* name;
    Packet packet;
    std::string says;
  };
  const auto row = GENERATE(values<Row>({
      {"key", {Command::auth, 1, 0, noise(20)}, "requires a key"},
      {"TLS", {Command::stls, 0x01000000, 0, {}}, "clawperator pair"},
  }));
  INFO(row.name);
  Script script;
  script.hears(encode_packet(host_connect(), ChecksumRule::sum));
  script.says(encode_packet(row.packet, ChecksumRule::sum));
  Loop loop;
  const auto connection = loop.run(establish_scripted(loop, script));
  REQUIRE_FALSE(connection);
  CHECK(connection.error().code() == errc::device_unauthorized);
  CHECK(connection.error().message().find(row.says) != std::string::npos);
}

TEST_CASE("connection: a device that agrees and asks for a key then is unauthorized",
          "[loopback]") {
  Loop loop;
  const std::string says = "the device requires a key although it had accepted the connection";
  const Packet question{Command::auth, 1, 0, noise(20)};
  SECTION("in one breath") {
    Script script;
    script.hears(encode_packet(host_connect(), ChecksumRule::sum));
    script.says(wire({device_connect(), question}));
    const auto connection = loop.run(establish_scripted(loop, script));
    REQUIRE_FALSE(connection);
    CHECK(connection.error() == Error(errc::device_unauthorized, says));
  }
  SECTION("a moment later") {
    Script script = greeted();
    script.says(wire({question}));
    auto connection = loop.run(establish_scripted(loop, script));
    REQUIRE(connection);
    const auto stream = loop.run((*connection)->open("x:"));
    REQUIRE_FALSE(stream);
    CHECK(stream.error() == Error(errc::link_lost, says));
  }
}

TEST_CASE("connection: hostile lengths and broken headers end it without waiting", "[loopback]") {
  struct Row {
    const char* name;
    std::string bytes;
    Errc code;
  };
  const auto header = [](Command command, std::uint32_t size, std::uint32_t magic_error) {
    Bytes bytes;
    const auto value = static_cast<std::uint32_t>(command);
    for (const std::uint32_t word : {value, 1u, 1u, size, 0u, ~value ^ magic_error}) {
      append_le(bytes, word);
    }
    return std::string(as_text(bytes));
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"longest length", header(Command::write, 0xffffffff, 0), errc::limit},
      {"one above the limit", header(Command::write, kMaxPayload + 1, 0), errc::limit},
      {"wrong magic", header(Command::write, 0, 1), errc::protocol},
  }));
  INFO(row.name);
  Loop loop;
  Script script = greeted();
  script.hears(wire({packet(Command::open, 1, 0, "x:\0"sv)}));
  script.says(row.bytes);
  auto host = loop.run(establish_scripted(loop, script, {.end = Manners::End::stays_silent}));
  REQUIRE(host);
  const auto stream = loop.run((*host)->open("x:"));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::link_lost);
  CHECK((*host)->is_closed());
}

TEST_CASE("connection: unknown commands and streams that are gone are ignored", "[loopback]") {
  Loop loop;
  Script script = greeted();
  script.says(wire({packet(Command{0x12345678}, 1, 2, "news"), packet(Command::sync, 0, 0),
                    packet(Command::close, 77, 88), packet(Command::open, 0, 0, "no id:\0"sv)}));
  script.hears(wire({packet(Command::open, 1, 0, "x:\0"sv)}));
  script.says(wire({packet(Command::okay, 3, 1), packet(Command::write, 3, 1, "fine"),
                    packet(Command::close, 3, 1)}));
  auto host = loop.run(establish_scripted(loop, script));
  REQUIRE(host);
  auto stream = loop.run((*host)->open("x:"));
  REQUIRE(stream);
  CHECK(loop.run(read_to_end(stream->get())) == "fine");
}

TEST_CASE("connection: closing it ends waiting opens and wait_closed", "[loopback]") {
  Loop loop;
  auto host = loop.run(establish_scripted(loop, greeted(), {.end = Manners::End::stays_silent}));
  REQUIRE(host);
  const auto wait = [](TransportConnection* connection) -> Task<void> {
    co_await connection->wait_closed();
    co_return ok();
  };
  auto waiting = loop.start(wait(host->get()));
  auto open = loop.start((*host)->open("x:"));
  loop.settle();
  CHECK_FALSE(waiting->done());
  (*host)->close();
  const auto end = loop.finish(open);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::link_lost);
  CHECK(loop.finish(waiting));
}

TEST_CASE("connection: a device that restarts in mid-session loses its streams at once",
          "[loopback][F29]") {
  Loop loop;
  Script script = greeted();
  script.hears(wire({packet(Command::open, 1, 0, "x:\0"sv)}));
  script.says(wire({packet(Command::okay, 9, 1), device_connect()}));
  auto host = loop.run(establish_scripted(loop, script, {.end = Manners::End::stays_silent}));
  REQUIRE(host);
  auto stream = loop.run((*host)->open("x:"));
  REQUIRE(stream);
  const auto text = loop.run(read_to_end(stream->get()));
  REQUIRE_FALSE(text);
  CHECK(text.error() == Error(errc::link_lost, "the device restarted the connection"));
}

TEST_CASE("connection: an odd OKAY ends its stream, the others live", "[loopback][F29]") {
  Loop loop;
  Script script = greeted();
  script.hears(
      wire({packet(Command::open, 1, 0, "x:\0"sv), packet(Command::open, 2, 0, "y:\0"sv)}));
  script.says(wire({packet(Command::okay, 8, 1, "odd"), packet(Command::okay, 9, 2),
                    packet(Command::write, 9, 2, "fine"), packet(Command::close, 9, 2)}));
  auto host = loop.run(establish_scripted(loop, script, {.end = Manners::End::stays_silent}));
  REQUIRE(host);
  auto odd = loop.start((*host)->open("x:"));
  auto stream = loop.run((*host)->open("y:"));
  REQUIRE(stream);
  CHECK(loop.run(read_to_end(stream->get())) == "fine");
  const auto ended = loop.finish(odd);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code() == errc::closed);
}
