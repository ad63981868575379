#include "adbproto/client/direct_client.hpp"

#include <catch2/catch.hpp>

#include "adbproto/client/shell.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/scope.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/fake_adbd.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

TEST_CASE("direct: a device over any link runs commands", "[loopback]") {
  const auto delayed = GENERATE(DelayedAck::silent, DelayedAck::announced);
  Loop loop;
  FakeAdbd phone(loop);
  phone.offers("delayed_ack").serve("shell,v2", prints_its_name());
  auto device =
      loop.run(connect_device(phone.attach(loop), "unit", {.delayed_ack = delayed, .limit = 5s}));
  REQUIRE(device);
  CHECK((*device)->serial() == "unit");
  CHECK((*device)->route() == "tcp");
  CHECK((*device)->features().has("shell_v2"));
  CHECK((*device)->max_service_size() == kMaxPayload - 1);
  for (int i = 0; i < 3; ++i) {
    const auto output = loop.run(run_shell(device->get(), "id", 1s));
    REQUIRE(output);
    CHECK(output->out == "shell,v2,raw:id");
    CHECK(output->exit_status == 0);
  }
}

TEST_CASE("direct: an address is dialled and becomes the serial", "[loopback]") {
  Loop loop;
  FakeAdbd phone(loop);
  phone.serve("shell,v2", prints_its_name());
  auto device = loop.run(
      connect_device(*parse_device_address(phone.address()), {.delayed_ack = {}, .limit = 5s}));
  REQUIRE(device);
  CHECK((*device)->serial() == phone.address());
  const auto output = loop.run(run_shell(device->get(), "id", 1s));
  REQUIRE(output);
  CHECK(output->out == "shell,v2,raw:id");
}

TEST_CASE("direct: names that crash a peer are refused before the wire", "[loopback]") {
  Loop loop;
  FakeAdbd phone(loop);
  auto device = loop.run(connect_device(phone.attach(loop), "unit", DirectOptions{}));
  REQUIRE(device);
  for (const char* service : {"spin", "dev:/dev/null", "reverse:surprise"}) {
    const auto stream = loop.run((*device)->open(service));
    REQUIRE_FALSE(stream);
    CHECK(stream.error().code() == errc::unsupported);
  }
}

TEST_CASE("direct: a device that never answers an open is given up", "[loopback]") {
  ManualTime time;
  Loop loop;
  std::vector<std::unique_ptr<IncomingStream>> unanswered;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  TransportOptions options;
  options.role = Role::device;
  options.banner.type = "device";
  options.on_incoming = [&](std::unique_ptr<IncomingStream> incoming) {
    unanswered.push_back(std::move(incoming));
  };
  auto peer = loop.start(TransportConnection::establish(std::move(theirs), options));
  auto device =
      time.run(loop, connect_device(std::move(ours), "unit", {.delayed_ack = {}, .limit = 2s}));
  REQUIRE(device);
  const auto before = time.elapsed();
  const auto stream = time.run(loop, (*device)->open("shell:id"));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::deadline_exceeded);
  CHECK(time.elapsed() - before >= 2s);
  CHECK(time.elapsed() - before < 3s);

  // The late acceptance of the abandoned open is answered with CLSE, and the link lives.
  auto connection = loop.finish(peer);
  REQUIRE(connection);
  REQUIRE(unanswered.size() == 1);
  const auto late = unanswered.front()->accept();
  CHECK(loop.run(read_to_end(late.get())) == "");
  CHECK_FALSE((*connection)->is_closed());
}

TEST_CASE("direct: no device at the address is an io error", "[loopback]") {
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const DeviceAddress address{"127.0.0.1", (*listener)->port()};
  (*listener)->close();
  const auto device = loop.run(connect_device(address, {.delayed_ack = {}, .limit = 5s}));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::io);
}

TEST_CASE("direct: a phone that turns out to be far is connected to once more for delayed_ack",
          "[loopback]") {
  struct Case {
    const char* name;
    std::chrono::milliseconds delay;
    bool offers;
    std::size_t answered;
    std::size_t accepted;
    bool delayed_ack;
  };
  const auto row = GENERATE(values<Case>({
      {"far", 20ms, true, 9, 2, true},
      {"near", 0ms, true, 9, 1, false},
      {"near and busy", 3ms, true, 9, 1, false},
      {"far and old", 20ms, false, 9, 1, false},
      {"far, with room for one", 20ms, true, 1, 1, false},
  }));
  INFO(row.name);
  ManualTime time;
  Loop loop;
  FakeAdbd phone(loop);
  phone.is_far(row.delay).answers_only(row.answered).answers("shell,v2,raw:id", shell_output("hi"));
  if (row.offers) phone.offers("delayed_ack");
  const auto address = parse_device_address(phone.address());
  const DirectOptions options{.delayed_ack = DelayedAck::automatic};
  auto first = time.run(loop, connect_device(*address, "far", options), 1ms);
  REQUIRE(first);
  CHECK_FALSE((*first)->facts().delayed_ack);
  const auto device =
      time.run(loop, connect_again_if_far(*std::move(first), *address, options), 1ms);
  REQUIRE(device);
  CHECK((*device)->serial() == "far");
  CHECK((*device)->facts().delayed_ack == row.delayed_ack);
  CHECK((*device)->facts().rtt >= row.delay);
  time.advance(loop, 100ms);
  CHECK(phone.accepted() == row.accepted);
  CHECK(phone.links() == 1);
  const auto output = time.run(loop, run_shell(device->get(), "id", 1s), 1ms);
  REQUIRE(output);
  CHECK(output->out == "hi");
}

TEST_CASE("direct: who hangs up before a word is dialled again, and then given up",
          "[loopback][F62]") {
  Loop loop;
  FakeAdbd phone(loop);
  const DeviceAddress address = *parse_device_address(phone.address());
  phone.hangs_up_on(3);
  CHECK(loop.run(connect_device(address, {})));
  CHECK(phone.dialled() == 4);
  phone.hangs_up_on(4);
  const auto refused = loop.run(connect_device(address, {}));
  CHECK(phone.dialled() == 8);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::device_offline);
  CHECK_THAT(refused.error().message(),
             Catch::StartsWith(phone.address() + " closed the connection before"));
}

namespace {

// Reads what comes, says `words`, and ends or keeps the link.
asio::awaitable<void> say_once(Listener* listener, Bytes words, std::vector<ByteStreamPtr>* kept) {
  auto link = co_await listener->accept();
  if (!link) co_return;
  Bytes heard(4096);
  co_await (*link)->read_some(heard);
  co_await (*link)->write_all(words);
  if (kept) kept->push_back(*std::move(link));
}

}  // namespace

TEST_CASE("direct: an address where no handshake comes about is offline, and not dialled again",
          "[loopback][F63]") {
  Loop loop;
  Scope scope(loop.executor());
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const DeviceAddress address{"127.0.0.1", (*listener)->port()};
  const Bytes token = encode_packet({Command::auth, 1, 0, Bytes(20)}, ChecksumRule::sum);
  std::vector<ByteStreamPtr> kept;
  SECTION("it hangs up in the middle") {
    scope.spawn(say_once(listener->get(), token, nullptr));
    DirectOptions options;
    options.keys = []() -> Result<KeyRing> {
      return KeyRing{.keys = {*RsaKey::from_pem(kKeyPem)}, .comment = "a@b"};
    };
    const auto device = loop.run(connect_device(address, options));
    REQUIRE_FALSE(device);
    CHECK(device.error().code() == errc::device_offline);
    CHECK_THAT(
        device.error().message(),
        Catch::StartsWith(address.to_string() + ": it closed the connection during the handshake"));
  }
  SECTION("it says nothing") {
    ManualTime time;
    Loop own;
    Scope kind(own.executor());
    auto there = listen_tcp(own.executor(), "127.0.0.1", 0);
    REQUIRE(there);
    kind.spawn(say_once(there->get(), {}, &kept));
    const DeviceAddress silent{"127.0.0.1", (*there)->port()};
    const auto device = time.run(own, connect_device(silent, {}));
    REQUIRE_FALSE(device);
    CHECK(device.error() ==
          Error(errc::device_offline,
                silent.to_string() + " does not answer: handshake took longer than 5000 ms"));
    kept.clear();
  }
}
