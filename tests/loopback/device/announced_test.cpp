#include "runtime/device/discovery/announced.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/device/resolver/connect.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/target_file.hpp"
#include "support/closed_port.hpp"
#include "support/fake_device.hpp"
#include "support/fake_discovery.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/supervisor_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

struct Bench : SupervisorBench {
  FakeDiscovery network{host.loop};
  std::shared_ptr<std::vector<std::string>> paired = std::make_shared<std::vector<std::string>>();

  TargetOptions options() {
    TargetOptions made = host.options();
    auto surroundings = host.usb.surroundings();
    network.use_in(*surroundings);
    surroundings->known_hosts = [known = paired] { return *known; };
    made.surroundings = surroundings;
    return made;
  }
};

// A paired phone that is followed as it announces itself: first at `before`, later at `after`.
struct Followed : Bench {
  FakeAdbd before{host.loop};
  FakeAdbd after{host.loop};

  Followed() {
    host.server.stop();
    *paired = {"adb-SN1-abcdef"};
    announce(before);
  }
  void announce(FakeAdbd& phone) {
    network.announce(AdbService::tls_connect, "adb-SN1-abcdef", phone.address());
  }
  void follow() {
    start({.target = options(), .discover = false, .connect_paired = true});
    time.advance(host.loop, 100ms);
  }
  auto open() { return Bench::open("adb-SN1-abcdef"); }
};

}  // namespace

TEST_CASE("announced: rows of what answers within the window", "[loopback]") {
  Bench at;
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", "10.0.0.2:41234");
  at.network.announce(AdbService::tls_pairing, "studio-x", "10.0.0.2:41235");
  at.network.announce(AdbService::plain, "adb-SN2", "fe80::1:5555");
  const auto rows = at.time.run(at.host.loop, announced_devices(at.options(), 1s));
  REQUIRE(rows);
  REQUIRE(rows->size() == 3);
  const DeviceRow& first = rows->front();
  CHECK(first.serial == "adb-SN1-abcdef");
  CHECK(first.state.text() == "announced");
  CHECK(first.transport == Transport::mdns);
  CHECK(first.service == AdbService::tls_connect);
  CHECK(first.address == "10.0.0.2:41234");
  // By name, whatever was heard first.
  CHECK((*rows)[1].service == AdbService::plain);
  CHECK((*rows)[1].address == "[fe80::1]:5555");
  CHECK((*rows)[2].service == AdbService::tls_pairing);
  CHECK(at.time.elapsed() >= 1s);
}

TEST_CASE("announced: where too many devices are announced the user gets a notice",
          "[loopback][F27]") {
  Bench at;
  at.host.server.stop();
  std::vector<std::string> notices;
  TargetOptions options = at.options();
  options.on_notice = [&](std::string_view line) { notices.emplace_back(line); };
  REQUIRE(at.time.run(at.host.loop, announced_devices(options, 1s)));
  CHECK(notices.empty());
  at.network.floods();
  REQUIRE(at.time.run(at.host.loop, announced_devices(options, 1s)));
  CHECK(notices == std::vector<std::string>{std::string(kFloodNotice)});
  const auto unresolved = at.time.run(at.host.loop, connect_target(options, "adb-SN1-abcdef"));
  REQUIRE_FALSE(unresolved);
  CHECK_THAT(unresolved.error().message(), Catch::Contains(std::string(kFloodNotice)));
  // A watcher gets the notice once.
  notices.clear();
  at.start({.target = options, .discover = true});
  at.network.announce(AdbService::plain, "adb-SN2", "10.0.0.2:5555");
  at.changes_after(1s);
  at.network.announce(AdbService::plain, "adb-SN3", "10.0.0.3:5555");
  at.changes_after(1s);
  CHECK(notices == std::vector<std::string>{std::string(kFloodNotice)});
}

TEST_CASE("announced: connect by name dials where that phone is now", "[loopback]") {
  Bench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  const ClosedPort closed;
  at.network.announce(AdbService::tls_pairing, "adb-SN1-abcdef", closed.address());
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", closed.address());
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef (2)", phone.address());
  const char* const name = GENERATE("adb-SN1-abcdef", "adb-SN1-abcdef._adb-tls-connect._tcp");
  CHECK(at.time.run(at.host.loop, connect_target(at.options(), name)) ==
        "connected to adb-SN1-abcdef");
  CHECK(read_targets()->addresses == std::vector<std::string>{"adb-SN1-abcdef"});
}

TEST_CASE("announced: a phone that was connected by its name is found at its next port",
          "[loopback]") {
  Bench at;
  at.host.server.stop();
  FakeAdbd before(at.host.loop);
  FakeAdbd after(at.host.loop);
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", before.address());
  REQUIRE(at.time.run(at.host.loop, connect_target(at.options(), "adb-SN1-abcdef")));
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", after.address());
  const auto device = at.time.run(at.host.loop, resolve_device(at.options()));
  REQUIRE(device);
  CHECK((*device)->serial() == "adb-SN1-abcdef");
  CHECK(after.accepted() == 1);

  at.start({.target = at.options()});
  CHECK(at.open("adb-SN1-abcdef"));
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", before.address());
  after.drop_links();
  at.changes_after(1s);
  CHECK(at.open("adb-SN1-abcdef"));
  CHECK(before.accepted() == 2);
  CHECK(at.time.run(at.host.loop, disconnect_target(at.options(), "adb-SN1-abcdef")) ==
        "disconnected adb-SN1-abcdef");
  CHECK(read_targets()->addresses.empty());
}

TEST_CASE("announced: an unknown name is not found, in time", "[loopback]") {
  Bench at;
  at.host.server.stop();
  const auto connected = at.time.run(at.host.loop, connect_target(at.options(), "adb-SN9-abcdef"));
  REQUIRE_FALSE(connected);
  CHECK(connected.error().code() == errc::device_not_found);
  CHECK(at.time.elapsed() < 5s);
}

TEST_CASE("announced: a supervisor shows them only when asked, and connects only paired ones",
          "[loopback]") {
  Bench at;
  FakeAdbd phone(at.host.loop);
  FakeAdbd stranger(at.host.loop);
  *at.paired = {"adb-SN1-abcdef"};
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", phone.address());
  at.network.announce(AdbService::tls_connect, "adb-SN2-uvwxyz", stranger.address());
  struct Row {
    bool discover;
    bool connect_paired;
    const char* changes;
  };
  const auto row = GENERATE(values<Row>({
      {false, false, ""},
      {true, false, "+mdns:adb-SN1-abcdef(announced) +mdns:adb-SN2-uvwxyz(announced)"},
      {false, true, "+tcp:adb-SN1-abcdef"},
      {true, true, "+tcp:adb-SN1-abcdef +mdns:adb-SN2-uvwxyz(announced)"},
  }));
  INFO(row.changes);
  at.start(
      {.target = at.options(), .discover = row.discover, .connect_paired = row.connect_paired});
  at.time.advance(at.host.loop, 100ms);
  // What was there first and what it became, together.
  std::string changes;
  for (const DeviceRow& now : at.supervisor->rows()) {
    changes += (changes.empty() ? "+" : " +") + std::string(transport_name(now.transport)) + ":" +
               now.serial;
    if (now.state != State::device) changes += "(" + now.state.text() + ")";
  }
  CHECK(changes == row.changes);
  CHECK(stranger.accepted() == 0);
}

TEST_CASE("announced: a paired phone is followed to its new address", "[loopback]") {
  Followed at;
  at.follow();
  REQUIRE(at.open());
  at.before.drop_links();
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef (2)", at.after.address());
  at.time.advance(at.host.loop, 50ms);  // sooner than any waiting between tries
  const auto device = at.open();
  REQUIRE(device);
  CHECK((*device)->serial() == "adb-SN1-abcdef");
  CHECK(at.before.accepted() == 1);
  CHECK(at.after.accepted() == 1);
}

TEST_CASE("announced: a phone whose name begins like a paired one's is another one", "[loopback]") {
  Followed at;
  at.network.fall_silent();
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdefg", at.after.address());
  at.follow();
  CHECK(at.after.accepted() == 0);
  CHECK(at.supervisor->rows().empty());
}

TEST_CASE("announced: a phone that moves without a word is followed, and its streams end",
          "[loopback]") {
  Followed at;
  at.before.serve("shell,v2,raw:cat", hangs());
  at.follow();
  const auto device = at.open();
  REQUIRE(device);
  auto stream = at.time.run(at.host.loop, (*device)->open("shell,v2,raw:cat"));
  REQUIRE(stream);
  Bytes buffer(16);
  auto read = at.host.loop.start((*stream)->read_some(buffer));
  at.before.is_far(1h);
  at.announce(at.after);
  at.changes_after(3s);
  REQUIRE(read->done());
  CHECK(read->result().error() ==
        Error(errc::link_lost, "adb-SN1-abcdef has moved to " + at.after.address()));
  CHECK(at.after.accepted() == 1);
  CHECK(at.open());
}

TEST_CASE("announced: a link that still answers survives the news of another address",
          "[loopback]") {
  Followed at;
  at.follow();
  const auto device = at.open();
  at.announce(at.after);
  at.changes_after(3s);
  CHECK(at.open() == device);
  CHECK(at.after.accepted() == 0);
  at.before.drop_links();
  at.changes_after(1s);
  CHECK(at.after.accepted() == 1);
}

TEST_CASE("announced: news of another address end the dialling of the old one", "[loopback]") {
  Followed at;
  at.before.answers_only(0);
  at.follow();
  CHECK_FALSE(at.open());
  at.announce(at.after);
  at.time.advance(at.host.loop, 50ms);
  CHECK(at.after.accepted() == 1);
  CHECK(at.open());
}

TEST_CASE("announced: another phone at the announced address gets no work", "[loopback]") {
  Followed at;
  at.before.answers(kWho, shell_output("SN1\nb1\n"));
  at.after.answers(kWho, shell_output("SN2\nb2\n"));
  at.follow();
  REQUIRE(at.open());
  at.before.drop_links();
  at.announce(at.after);
  at.time.advance(at.host.loop, 500ms);
  CHECK(at.open().error().code() == errc::device_identity_changed);
}

TEST_CASE(
    "announced: who was met under a name is let go by disconnecting, and forgotten by forgetting",
    "[loopback]") {
  Followed at;
  at.before.answers(kWho, shell_output("SN1\nb1\n"));
  at.follow();
  REQUIRE(at.open());
  at.before.answers(kWho, shell_output("SN2\nb2\n"));
  at.before.drop_links();
  at.changes_after(2s);
  CHECK(at.open().error().code() == errc::device_identity_changed);
  const char* const name = GENERATE("adb-SN1-abcdef", "adb-SN1-abcdef._adb-tls-connect._tcp");
  CHECK(at.time.run(at.host.loop, disconnect_target(at.options(), name)) ==
        "disconnected adb-SN1-abcdef");
  at.changes_after(1500ms);
  // On disk the first one is still the phone of that name.
  CHECK(at.open().error().code() == errc::device_identity_changed);
  CHECK(run_task(forget_phones("adb-SN1-abcdef", {})) ==
        std::vector<std::string>{"adb-SN1-abcdef"});
  at.changes_after(1500ms);
  CHECK(at.open());
}

TEST_CASE("announced: a paired phone that was connected, too, is followed after that ends",
          "[loopback]") {
  Followed at;
  REQUIRE(run_task(add_target("adb-SN1-abcdef")));
  at.follow();
  REQUIRE(at.open());
  REQUIRE(at.time.run(at.host.loop, disconnect_target(at.options(), "adb-SN1-abcdef")));
  at.changes_after(3s);
  CHECK(at.open());
  CHECK(at.before.links() == 1);
}

TEST_CASE("announced: a name that is not followed cannot be disconnected", "[loopback]") {
  constexpr const char* kName = "adb-SN9-abcdef._adb-tls-connect._tcp";
  Bench at;
  TargetOptions direct = at.options();
  direct.transport = Transport::tcp;
  CHECK(at.time.run(at.host.loop, disconnect_target(direct, kName)).error().code() ==
        errc::device_not_found);
}
