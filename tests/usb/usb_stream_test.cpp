#include <catch2/catch.hpp>
#include <cerrno>
#include <deque>
#include <mutex>

#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/packet.hpp"
#include "support/stream_io.hpp"
#include "usb_bench.hpp"

namespace adbproto::testing {
namespace {

using namespace std::chrono_literals;
using Sizes = std::vector<std::size_t>;

Bytes packet(Command command, ByteView payload = {}) {
  return encode_packet({command, 1, 2, Bytes(payload.begin(), payload.end())}, ChecksumRule::zero);
}

// What the phone gets is written down, and no more.
struct StreamBench {
  explicit StreamBench(std::uint16_t packet_size = 512, std::chrono::milliseconds write_limit = 5s,
                       std::chrono::milliseconds quiet_limit = 10ms)
      : bus(UsbBus::start(loop.executor(), {.write_limit = write_limit, .quiet_limit = quiet_limit})
                .value()) {
    phone = mock.plug({.packet_size = packet_size}, [this](Bytes bytes) {
      const std::lock_guard lock(mutex);
      got.push_back(std::move(bytes));
    });
    link = loop.run(bus->open(phones(loop, bus).at(0))).value();
  }

  // One packet from the phone, in two transfers.
  void say(Command command, const Bytes& payload = {}) {
    const Bytes bytes = packet(command, payload);
    phone->send(Bytes(bytes.begin(), bytes.begin() + 24));
    phone->send(payload);
  }
  Result<void> write(ByteView bytes) { return loop.run(link->write_all(bytes)); }
  Result<Bytes> read(std::size_t size) { return loop.run(read_exactly(link.get(), size)); }
  void greet() {
    say(Command::connect);
    REQUIRE(read(24) == packet(Command::connect));
  }
  std::deque<Bytes> transfers() {
    const std::lock_guard lock(mutex);
    return got;
  }
  Sizes sizes() {
    Sizes sizes;
    for (const Bytes& one : transfers()) sizes.push_back(one.size());
    return sizes;
  }
  Bytes received() {
    Bytes all;
    for (const Bytes& one : transfers()) append(all, one);
    return all;
  }

  MockBus mock;
  Loop loop;
  std::unique_ptr<UsbBus> bus;
  std::shared_ptr<MockDevice> phone;
  ByteStreamPtr link;
  std::mutex mutex;
  std::deque<Bytes> got;
};

// Failed checks of megabytes print no bytes.
bool same(const Bytes& one, const Bytes& other) { return one == other; }

TEST_CASE("usb stream: opening claims and does nothing else to the phone") {
  StreamBench at;
  const MockCounts counts = at.phone->counts();
  CHECK(counts.claims == 1);
  CHECK(counts.halts_cleared == 0);
  CHECK(counts.resets == 0);
  CHECK(counts.configurations_set == 0);
  CHECK(counts.drivers_detached == 0);
}

TEST_CASE("usb stream: payloads of whole USB packets are followed by an empty transfer") {
  const auto packet_size = GENERATE(values<std::uint16_t>({64, 512, 1024}));
  StreamBench at(packet_size);
  REQUIRE(at.write(packet(Command::write, noise(packet_size))));
  REQUIRE(at.write(packet(Command::write, noise(packet_size + 1u))));
  REQUIRE(at.write(packet(Command::okay)));
  const Sizes expected = {24, packet_size, 0, 24, packet_size + 1u, 24};
  CHECK(soon(at.loop, [&] { return at.sizes().size() >= expected.size(); }));
  CHECK(at.sizes() == expected);
}

TEST_CASE("usb stream: a whole-packet payload from the phone ends without an empty transfer") {
  StreamBench at;
  at.greet();
  at.say(Command::write, noise(1024));
  at.say(Command::close);
  Bytes expected = packet(Command::write, noise(1024));
  append(expected, packet(Command::close));
  CHECK(at.read(expected.size()) == expected);
}

TEST_CASE("usb stream: what an earlier talk left is not seen") {
  StreamBench at;
  at.say(Command::write, noise(700));
  at.phone->send(noise(300));
  at.say(Command::close);
  at.say(Command::connect, noise(100));
  CHECK(at.read(124) == packet(Command::connect, noise(100)));
}

TEST_CASE("usb stream: a mebibyte goes both ways in bounded memory") {
  StreamBench at;
  at.greet();
  const Bytes sent = packet(Command::write, noise(1 << 20, 2));
  REQUIRE(at.write(sent));
  CHECK(soon(at.loop, [&] { return at.received().size() == sent.size(); }));
  CHECK(same(at.received(), sent));
  at.say(Command::write, noise(1 << 20, 3));
  CHECK(same(at.read(sent.size()).value(), packet(Command::write, noise(1 << 20, 3))));
  CHECK(at.phone->counts().most_in_flight <= (2u << 20) + 1024);
}

TEST_CASE("usb stream: where memory for transfers is short they become smaller") {
  StreamBench at;
  at.greet();
  at.phone->limit_memory(40 * 1024);
  const Bytes sent = packet(Command::write, noise(300'000, 2));
  REQUIRE(at.write(sent));
  CHECK(soon(at.loop, [&] { return at.received().size() == sent.size(); }));
  CHECK(same(at.received(), sent));
  at.say(Command::write, noise(300'000, 3));
  CHECK(same(at.read(sent.size()).value(), packet(Command::write, noise(300'000, 3))));
}

TEST_CASE("usb stream: memory that others give back is enough while the phone says nothing") {
  StreamBench at;
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  at.loop.settle();
  at.phone->limit_memory(512);  // what the read in flight takes
  const Bytes sent = packet(Command::write, noise(100));
  auto write = at.loop.start(at.link->write_all(sent));
  at.loop.settle();
  CHECK_FALSE(write->done());
  at.phone->limit_memory(1 << 20);
  CHECK(soon(at.loop, [&] { return at.received().size() == sent.size(); }));
  CHECK(write->done());
  at.say(Command::okay);
  CHECK(at.loop.finish(read) == packet(Command::okay));
}

TEST_CASE("usb stream: a stalled read is cleared once and loses nothing") {
  StreamBench at;
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24 + 600));
  at.phone->fail_next_in(EPIPE);
  CHECK(soon(at.loop, [&] { return at.phone->counts().halts_cleared == 1; }));
  at.say(Command::write, noise(600));
  CHECK(at.loop.finish(read) == packet(Command::write, noise(600)));
  CHECK(at.phone->counts().halts_cleared == 1);
}

TEST_CASE("usb stream: a stalled write is cleared once and loses nothing") {
  StreamBench at;
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  at.phone->fail_next_out(EPIPE);
  const Bytes sent = packet(Command::write, noise(700'000));
  REQUIRE(at.write(sent));
  CHECK(soon(at.loop, [&] { return at.received().size() == sent.size(); }));
  CHECK(same(at.received(), sent));
  CHECK(at.phone->counts().halts_cleared == 1);
  at.say(Command::okay);
  CHECK(at.loop.finish(read) == packet(Command::okay));
}

TEST_CASE("usb stream: a phone that only stalls is given up") {
  StreamBench at;
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  REQUIRE(soon(at.loop, [&] {
    if (!read->done()) at.phone->fail_next_in(EPIPE);
    return read->done();
  }));
  CHECK(read->result().error().code() == errc::link_lost);
  CHECK(at.phone->counts().halts_cleared == 3);
}

TEST_CASE("usb stream: unplugging ends what is pending, both ways, with one reason") {
  StreamBench at;
  at.greet();
  at.phone->hang_writes(true);
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  auto write = at.loop.start([](ByteStream* link) -> Task<void> {
    const Bytes bytes = packet(Command::write, noise(1 << 20));
    for (;;) CO_TRY_VOID(co_await link->write_all(bytes));
  }(at.link.get()));
  CHECK(soon(at.loop, [&] { return at.phone->counts().submits >= 8; }));
  CHECK_FALSE(write->done());
  at.mock.unplug(at.phone);
  const auto read_end = at.loop.finish(read);
  const auto write_end = at.loop.finish(write);
  CHECK(read_end.error() == Error(errc::link_lost, "usb:1-1 was unplugged"));
  CHECK(write_end.error() == read_end.error());
  CHECK(at.write(packet(Command::okay)).error() == read_end.error());
}

TEST_CASE("usb stream: what came before the end is still read") {
  StreamBench at;
  at.greet();
  at.say(Command::write, noise(10));
  CHECK(soon(at.loop, [&] { return at.phone->unread() == 0; }));
  at.mock.unplug(at.phone);
  CHECK(at.read(34) == packet(Command::write, noise(10)));
  CHECK(at.read(1).error().code() == errc::link_lost);
}

TEST_CASE("usb stream: an error on the wire ends the link") {
  StreamBench at;
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  at.phone->fail_next_in(EPROTO);
  CHECK(at.loop.finish(read).error().code() == errc::link_lost);
}

TEST_CASE("usb stream: bytes that are no packets end the link") {
  StreamBench at;
  at.greet();
  at.phone->send(noise(24));
  CHECK(at.read(1).error().code() == errc::protocol);
}

TEST_CASE("usb stream: a phone that takes no data is given up after the write limit") {
  StreamBench at(512, 200ms);
  at.greet();
  at.phone->hang_writes(true);
  REQUIRE(at.write(packet(Command::okay)));
  CHECK(at.read(1).error() == Error(errc::deadline_exceeded, "usb:1-1 accepts no data"));
}

TEST_CASE("usb stream: a cancelled read loses nothing, a cancelled write sends everything") {
  StreamBench at;
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  at.loop.settle();
  read->cancel();
  at.loop.settle();
  CHECK(read->done());
  at.say(Command::okay);
  CHECK(at.read(24) == packet(Command::okay));

  at.phone->hang_writes(true);
  const Bytes sent = packet(Command::write, noise(1 << 20));
  auto write = at.loop.start([](ByteStream* link, const Bytes* bytes) -> Task<void> {
    for (int i = 0; i < 3; ++i) CO_TRY_VOID(co_await link->write_all(*bytes));
    co_return ok();
  }(at.link.get(), &sent));
  CHECK(soon(at.loop, [&] { return at.phone->counts().submits >= 8; }));
  write->cancel();
  at.loop.settle();
  at.phone->hang_writes(false);
  // Two of them had been handed over, both go out to their end.
  CHECK(soon(at.loop, [&] { return at.received().size() == 2 * sent.size(); }));
}

TEST_CASE("usb stream: closing ends what waits, lets writes out and reads what is unread") {
  StreamBench at(512, 5s, 250ms);  // the mock's thread may not run for a while on a busy machine
  at.greet();
  auto read = at.loop.start(read_exactly(at.link.get(), 24));
  at.loop.settle();
  REQUIRE(at.write(packet(Command::close)));
  at.say(Command::write, noise(100'000));
  at.link->close();
  CHECK(at.loop.finish(read).error().code() == errc::closed);
  CHECK(at.write(packet(Command::okay)).error().code() == errc::closed);
  CHECK(soon(at.loop, [&] { return at.phone->unread() == 0; }));
  CHECK(at.received() == packet(Command::close));
}

TEST_CASE("usb stream: closing reads what is unread where the reader was far behind", "[F33]") {
  StreamBench at(512, 5s, 250ms);
  at.greet();
  for (int i = 0; i < 20; ++i) at.say(Command::write, noise(1000));
  // What came is taken off the pipe, and no more is requested.
  int looks = 0;
  REQUIRE(soon(at.loop, [&] {
    looks = at.phone->counts().waiting == 0 ? looks + 1 : 0;
    return looks > 20;
  }));
  REQUIRE(at.phone->unread() > 0);
  at.link->close();
  CHECK(soon(at.loop, [&] { return at.phone->unread() == 0; }));
}

TEST_CASE("usb stream: sixty links one after the other") {
  StreamBench at;
  const UsbDevice device = phones(at.loop, at.bus).at(0);
  for (int i = 0; i < 60; ++i) {
    at.link.reset();
    auto link = at.loop.run(at.bus->open(device));
    REQUIRE(link);
    at.link = *std::move(link);
    at.greet();
    at.say(Command::close);  // and no stream reads it
  }
  CHECK(at.phone->counts().claims == 61);
}

TEST_CASE("usb stream: the event loop may go first") {
  MockBus mock;
  const auto phone = mock.plug({}, [](const Bytes&) {});
  {
    Loop loop;
    auto bus = UsbBus::start(loop.executor()).value();
    auto link = loop.run(bus->open(phones(loop, bus).at(0))).value();
    auto read = loop.start([](ByteStreamPtr owned, std::unique_ptr<UsbBus>) -> Task<std::size_t> {
      Bytes buffer(100);
      co_return co_await owned->read_some(buffer);
    }(std::move(link), std::move(bus)));
    loop.settle();
    CHECK_FALSE(read->done());
  }
  // The interface was given back.
  Loop other;
  const auto again = UsbBus::start(other.executor()).value();
  CHECK(other.run(again->open(phones(other, again).at(0))));
}

}  // namespace
}  // namespace adbproto::testing
