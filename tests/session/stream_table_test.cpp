#include "adbproto/session/stream_table.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"

using namespace adbproto;

namespace {

Packet packet(Command command, std::uint32_t arg0, std::uint32_t arg1,
              std::string_view payload = {}) {
  return {command, arg0, arg1, to_bytes(payload)};
}

std::string_view four(std::int32_t value) {
  static thread_local char bytes[4];
  store_le(reinterpret_cast<std::byte*>(bytes), value);
  return {bytes, 4};
}

StreamTableOptions classic() { return {}; }
StreamTableOptions delayed(std::uint32_t window = 1 << 20) {
  StreamTableOptions options;
  options.flow_control = FlowControl::delayed_ack;
  options.receive_window = window;
  return options;
}

// A table with one call of each function and the actions it gave, so a conversation reads in order.
struct Talk {
  explicit Talk(StreamTableOptions options) : table(options) {}

  StreamActions open(std::string_view service) {
    StreamActions out;
    REQUIRE(table.open(service, out));
    return out;
  }
  StreamActions hear(Packet what) {
    StreamActions out;
    const auto taken = table.on_packet(std::move(what), out);
    REQUIRE(taken);
    return out;
  }
  StreamActions write(LocalId id, std::string_view text) {
    StreamActions out;
    table.write(id, to_bytes(text), out);
    return out;
  }
  StreamActions consumed(LocalId id, std::size_t bytes) {
    StreamActions out;
    table.consumed(id, bytes, out);
    return out;
  }
  StreamActions close(LocalId id) {
    StreamActions out;
    table.close(id, out);
    return out;
  }
  StreamActions accept(LocalId id) {
    StreamActions out;
    table.accept(id, out);
    return out;
  }
  StreamActions refuse(LocalId id) {
    StreamActions out;
    table.refuse(id, out);
    return out;
  }

  StreamTable table;
};

using Actions = StreamActions;
constexpr LocalId kOne{1};
using namespace std::string_view_literals;

}  // namespace

TEST_CASE("streams: an open carries the service with its NUL and no window", "[session]") {
  Talk host(classic());
  CHECK(host.open("shell:id") == Actions{SendPacket{packet(Command::open, 1, 0, "shell:id\0"sv)}});
  CHECK_FALSE(host.table.may_write(kOne));
  CHECK(host.hear(packet(Command::okay, 7, 1)) == Actions{Opened{kOne}, Writable{kOne}});
  CHECK(host.table.may_write(kOne));
}

TEST_CASE("streams: classic flow control allows one packet until its OKAY", "[session]") {
  Talk host(classic());
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.write(kOne, "hi") == Actions{SendPacket{packet(Command::write, 1, 7, "hi")}});
  CHECK_FALSE(host.table.may_write(kOne));
  CHECK(host.hear(packet(Command::okay, 7, 1)) == Actions{Writable{kOne}});
  CHECK(host.table.may_write(kOne));
}

TEST_CASE("streams: received data is delivered and acknowledged at once", "[session]") {
  Talk host(classic());
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.hear(packet(Command::write, 7, 1, "data")) ==
        Actions{Deliver{kOne, to_bytes("data")}, SendPacket{packet(Command::okay, 1, 7)}});
  CHECK(host.hear(packet(Command::write, 7, 1)) ==
        Actions{SendPacket{packet(Command::okay, 1, 7)}});
}

TEST_CASE("streams: a reader that falls behind withholds the acknowledgement", "[session]") {
  StreamTableOptions options;
  options.receive_window = 10;
  options.max_payload = 64;
  Talk host(options);
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.hear(packet(Command::write, 7, 1, "0123456789")) ==
        Actions{Deliver{kOne, to_bytes("0123456789")}});
  CHECK(host.consumed(kOne, 1) == Actions{SendPacket{packet(Command::okay, 1, 7)}});
  CHECK(host.consumed(kOne, 9).empty());
}

TEST_CASE("streams: a peer that ignores the window loses its stream, not our memory", "[session]") {
  StreamTableOptions options;
  options.receive_window = 10;
  options.max_payload = 10;
  Talk host(options);
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  host.hear(packet(Command::write, 7, 1, "0123456789"));
  host.hear(packet(Command::write, 7, 1, "0123456789"));
  CHECK(host.hear(packet(Command::write, 7, 1, "x")) ==
        Actions{SendPacket{packet(Command::close, 1, 7)}, Ended{kOne}});
  CHECK(host.table.size() == 0);
}

TEST_CASE("streams: a refused open ends without further packets", "[session]") {
  Talk host(classic());
  host.open("nonsense:");
  CHECK(host.hear(packet(Command::close, 0, 1)) == Actions{Refused{kOne}});
  CHECK(host.table.size() == 0);
}

TEST_CASE("streams: adbd's second CLSE and CLSE with id 0 are harmless", "[session]") {
  const auto first_id = GENERATE(7u, 0u);
  Talk host(classic());
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.hear(packet(Command::close, first_id, 1)) ==
        Actions{SendPacket{packet(Command::close, 1, 7)}, Ended{kOne}});
  CHECK(host.hear(packet(Command::close, 7, 1)).empty());
  CHECK(host.table.ignored() == 1);
}

TEST_CASE("streams: a service that is accepted under the id 0 is the peer's error",
          "[session][L3]") {
  StreamTable table(classic());
  StreamActions actions;
  REQUIRE(table.open("x:", actions));
  const auto taken = table.on_packet(packet(Command::okay, 0, 1), actions);
  REQUIRE_FALSE(taken);
  CHECK(taken.error().code() == errc::protocol);

  Talk host(classic());
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.hear(packet(Command::okay, 0, 1)).empty());
  CHECK(host.hear(packet(Command::okay, 0, 9)).empty());
  CHECK(host.table.ignored() == 2);
}

TEST_CASE("streams: after our close late data is dropped and the id lives until the peer's CLSE",
          "[session]") {
  Talk host(classic());
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.close(kOne) == Actions{SendPacket{packet(Command::close, 1, 7)}});
  CHECK(host.close(kOne).empty());
  CHECK(host.hear(packet(Command::write, 7, 1, "late")).empty());
  CHECK(host.hear(packet(Command::okay, 7, 1)).empty());
  CHECK(host.table.size() == 1);
  CHECK(host.hear(packet(Command::close, 7, 1)).empty());
  CHECK(host.table.size() == 0);
}

TEST_CASE("streams: an open that was given up is closed once its OKAY contains the peer's id",
          "[session]") {
  Talk host(classic());
  host.open("x:");
  CHECK(host.close(kOne).empty());
  CHECK(host.hear(packet(Command::okay, 7, 1)) ==
        Actions{SendPacket{packet(Command::close, 1, 7)}});
  CHECK(host.hear(packet(Command::close, 7, 1)).empty());
  CHECK(host.table.size() == 0);
}

TEST_CASE("streams: packets for unknown streams are answered as adbd answers them", "[session]") {
  Talk host(classic());
  CHECK(host.hear(packet(Command::okay, 9, 5)) ==
        Actions{SendPacket{packet(Command::close, 5, 9)}});
  CHECK(host.hear(packet(Command::write, 9, 5, "x")) ==
        Actions{SendPacket{packet(Command::close, 0, 9)}});
  CHECK(host.hear(packet(Command::close, 9, 5)).empty());
  CHECK(host.hear(packet(Command::sync, 1, 1)).empty());
  CHECK(host.hear(packet(Command{0x12345678}, 1, 1)).empty());
  CHECK(host.table.ignored() == 5);
}

TEST_CASE("streams: a device that asks for a key after all has not let us in", "[session]") {
  const auto command = GENERATE(Command::auth, Command::stls);
  StreamActions out;
  StreamTable host(classic());
  const auto asked = host.on_packet(packet(command, 1, 0, "a token of twenty by"), out);
  REQUIRE_FALSE(asked);
  CHECK(asked.error().code() == errc::device_unauthorized);
  StreamTable device({.role = Role::device});
  CHECK(device.on_packet(packet(command, 2, 0, "a signature"), out));
  CHECK(device.ignored() == 1);
  CHECK(out.empty());
}

TEST_CASE("streams: data from another remote id than the stream's is ignored", "[session]") {
  Talk host(classic());
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1));
  CHECK(host.hear(packet(Command::write, 8, 1, "x")).empty());
  CHECK(host.hear(packet(Command::okay, 8, 1)).empty());
}

TEST_CASE("streams: a device accepts or refuses what the host opens", "[session]") {
  Talk device(classic());
  CHECK(device.hear(packet(Command::open, 5, 0, "shell:id\0"sv)) ==
        Actions{PeerOpened{kOne, "shell:id"}});
  CHECK(device.accept(kOne) == Actions{SendPacket{packet(Command::okay, 1, 5)}});
  CHECK(device.table.may_write(kOne));
  CHECK(device.hear(packet(Command::open, 6, 0, "nonsense"sv)) ==
        Actions{PeerOpened{LocalId{2}, "nonsense"}});
  CHECK(device.refuse(LocalId{2}) == Actions{SendPacket{packet(Command::close, 0, 6)}});
  CHECK(device.hear(packet(Command::open, 0, 0, "x"sv)).empty());
}

TEST_CASE("streams: with delayed_ack an open grants a window and an OKAY carries bytes",
          "[session]") {
  Talk host(delayed(1 << 20));
  CHECK(host.open("x:") == Actions{SendPacket{packet(Command::open, 1, 1 << 20, "x:\0"sv)}});
  CHECK(host.hear(packet(Command::okay, 7, 1, four(100))) == Actions{Opened{kOne}, Writable{kOne}});
  host.write(kOne, std::string(60, 'a'));
  CHECK(host.table.may_write(kOne));
  host.write(kOne, std::string(60, 'a'));  // may overdraw by one packet
  CHECK_FALSE(host.table.may_write(kOne));
  CHECK(host.hear(packet(Command::okay, 7, 1, four(10))).empty());
  CHECK_FALSE(host.table.may_write(kOne));
  CHECK(host.hear(packet(Command::okay, 7, 1, four(50))) == Actions{Writable{kOne}});
  CHECK(host.hear(packet(Command::okay, 7, 1, four(-500))).empty());
  CHECK_FALSE(host.table.may_write(kOne));
}

TEST_CASE("streams: with delayed_ack consumption is acknowledged in large portions", "[session]") {
  Talk host(delayed(800));
  host.open("x:");
  host.hear(packet(Command::okay, 7, 1, four(800)));
  CHECK(host.hear(packet(Command::write, 7, 1, std::string(300, 'x'))) ==
        Actions{Deliver{kOne, to_bytes(std::string(300, 'x'))}});
  CHECK(host.consumed(kOne, 50).empty());
  CHECK(host.consumed(kOne, 50) == Actions{SendPacket{packet(Command::okay, 1, 7, four(100))}});
  CHECK(host.consumed(kOne, 60).empty());
  // An idle reader must not keep the window shut.
  CHECK(host.consumed(kOne, 140) == Actions{SendPacket{packet(Command::okay, 1, 7, four(200))}});
}

TEST_CASE("streams: the wrong kind of window or acknowledgement is refused", "[session]") {
  SECTION("an open with a window where none was agreed") {
    Talk device(classic());
    CHECK(device.hear(packet(Command::open, 5, 4096, "x\0"sv)) ==
          Actions{SendPacket{packet(Command::close, 0, 5)}});
  }
  SECTION("an open without a window where one was agreed") {
    Talk device(delayed());
    CHECK(device.hear(packet(Command::open, 5, 0, "x\0"sv)) ==
          Actions{SendPacket{packet(Command::close, 0, 5)}});
  }
}

TEST_CASE("streams: an acknowledgement of the wrong size ends its stream only", "[session][F29]") {
  const auto options = GENERATE(classic(), delayed());
  Talk host(options);
  host.open("x:");
  host.open("y:");
  CHECK(host.hear(packet(Command::okay, 7, 1, "123")) ==
        Actions{SendPacket{packet(Command::close, 1, 7)}, Ended{kOne}});
  const std::string_view fitting = options.flow_control == FlowControl::classic ? "" : four(100);
  CHECK(host.hear(packet(Command::okay, 8, 2, fitting)) ==
        Actions{Opened{LocalId{2}}, Writable{LocalId{2}}});
  CHECK(host.hear(packet(Command::okay, 8, 2, "12345")) ==
        Actions{SendPacket{packet(Command::close, 2, 8)}, Ended{LocalId{2}}});
}

TEST_CASE("streams: a device that introduces itself anew ends the link", "[session][F29]") {
  StreamActions out;
  StreamTable network(classic());
  const auto verdict = network.on_packet(packet(Command::connect, 1, 2, "device::"), out);
  REQUIRE_FALSE(verdict);
  CHECK(verdict.error() == Error(errc::closed, "the device restarted the connection"));
  // On USB an answer to somebody earlier may still be on the cable.
  StreamTable cable({.restart = Restart::ignored});
  CHECK(cable.on_packet(packet(Command::connect, 1, 2, "device::"), out));
  StreamTable device({.role = Role::device});
  CHECK(device.on_packet(packet(Command::connect, 1, 2, "host::"), out));
  CHECK(out.empty());
}

TEST_CASE("streams: all are closed at once, one that is opening once it has its id",
          "[session][F20]") {
  Talk host(classic());
  host.open("x:");
  host.open("y:");
  host.hear(packet(Command::okay, 7, 1));
  host.hear(packet(Command::open, 9, 0, "theirs\0"sv));
  StreamActions out;
  host.table.close_all(out);
  CHECK(out == Actions{SendPacket{packet(Command::close, 1, 7)},
                       SendPacket{packet(Command::close, 0, 9)}});
  CHECK(host.table.awaits_farewell());
  CHECK(host.hear(packet(Command::okay, 8, 2)) ==
        Actions{SendPacket{packet(Command::close, 2, 8)}});
  CHECK_FALSE(host.table.awaits_farewell());
}

TEST_CASE("streams: the number of streams is bounded, closing ones give way", "[session]") {
  StreamTableOptions options;
  options.max_streams = 2;
  Talk device(options);
  device.hear(packet(Command::open, 5, 0, "a\0"sv));
  device.hear(packet(Command::open, 6, 0, "b\0"sv));
  CHECK(device.hear(packet(Command::open, 7, 0, "c\0"sv)) ==
        Actions{SendPacket{packet(Command::close, 0, 7)}});
  StreamActions out;
  const auto refused = device.table.open("d:", out);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::limit);
  device.accept(kOne);
  device.close(kOne);
  CHECK(device.hear(packet(Command::open, 8, 0, "e\0"sv)) == Actions{PeerOpened{LocalId{3}, "e"}});
}

TEST_CASE("streams: a service name longer than a packet is refused before anything is sent",
          "[session]") {
  StreamTableOptions options;
  options.max_payload = 64;
  StreamTable table(options);
  StreamActions out;
  CHECK(table.open(std::string(63, 's'), out));
  const auto too_long = table.open(std::string(64, 's'), out);
  REQUIRE_FALSE(too_long);
  CHECK(too_long.error().code() == errc::limit);
  CHECK(out.size() == 1);
}

// Both roles run the same table, so two tables joined by a wire must agree on every byte.
TEST_CASE("streams: two tables carry any text both ways under both flow controls", "[session]") {
  const auto options = GENERATE(classic(), delayed(4096));
  StreamTable host(options);
  StreamTable device(options);
  std::string at_device;
  std::string at_host;
  StreamActions to_device;
  REQUIRE(host.open("echo:", to_device));
  StreamActions to_host;
  const auto run = [&](StreamTable& table, StreamActions& in, StreamActions& out,
                       std::string& got) {
    for (StreamAction& action : std::exchange(in, {})) {
      auto* sent = std::get_if<SendPacket>(&action);
      if (!sent) continue;
      StreamActions results;
      REQUIRE(table.on_packet(std::move(sent->packet), results));
      for (StreamAction& result : results) {
        if (auto* opened = std::get_if<PeerOpened>(&result)) table.accept(opened->id, out);
        auto* data = std::get_if<Deliver>(&result);
        if (data) {
          got += as_text(data->payload);
          table.consumed(data->id, data->payload.size(), out);
        }
        out.push_back(std::move(result));
      }
    }
  };
  std::string wanted;
  for (int round = 0; round < 400; ++round) {
    const std::string text(static_cast<std::size_t>(round * 7 % 3000),
                           static_cast<char>('a' + round % 26));
    if (host.may_write(kOne)) {
      host.write(kOne, to_bytes(text), to_device);
      wanted += text;
    }
    if (device.may_write(kOne)) device.write(kOne, to_bytes("pong"), to_host);
    run(device, to_device, to_host, at_device);
    run(host, to_host, to_device, at_host);
  }
  for (int i = 0; i < 4; ++i) {
    run(device, to_device, to_host, at_device);
    run(host, to_host, to_device, at_host);
  }
  CHECK(at_device == wanted);
  CHECK(wanted.size() > 100'000);
  CHECK(at_host.size() > 400);
}
