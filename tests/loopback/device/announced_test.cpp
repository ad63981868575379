#include <catch2/catch.hpp>

#include "runtime/device/target.hpp"
#include "runtime/device/target_file.hpp"
#include "support/fake_device.hpp"
#include "support/fake_discovery.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"
#include "support/supervisor_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using adbproto::AdbService;
using adbproto::Errc;

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
  CHECK(first.state == "announced");
  CHECK(first.transport == "mdns");
  CHECK(first.service == "connect");
  CHECK(first.address == "10.0.0.2:41234");
  CHECK((*rows)[1].service == "pairing");
  CHECK((*rows)[2].service == "plain");
  CHECK((*rows)[2].address == "[fe80::1]:5555");
  CHECK(at.time.elapsed() >= 1s);
}

TEST_CASE("announced: connect by name dials where that phone is now", "[loopback]") {
  Bench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.network.announce(AdbService::tls_pairing, "adb-SN1-abcdef", "127.0.0.1:1");
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", phone.address());
  const char* const name = GENERATE("adb-SN1-abcdef", "adb-SN1-abcdef._adb-tls-connect._tcp");
  CHECK(at.time.run(at.host.loop, connect_target(at.options(), name)) ==
        "connected to " + phone.address());
  CHECK(read_targets() == std::vector<std::string>{phone.address()});
}

TEST_CASE("announced: a name that nobody has is not found, in time", "[loopback]") {
  Bench at;
  at.host.server.stop();
  const auto connected = at.time.run(at.host.loop, connect_target(at.options(), "adb-SN9-abcdef"));
  REQUIRE_FALSE(connected);
  CHECK(connected.error().code() == Errc::device_not_found);
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
    const char* told;
  };
  const auto row = GENERATE(values<Row>({
      {false, false, ""},
      {true, false, "+mdns:adb-SN1-abcdef(announced) +mdns:adb-SN2-uvwxyz(announced)"},
      {false, true, "+tcp:adb-SN1-abcdef"},
      {true, true, "+tcp:adb-SN1-abcdef +mdns:adb-SN2-uvwxyz(announced)"},
  }));
  INFO(row.told);
  at.start(
      {.target = at.options(), .discover = row.discover, .connect_paired = row.connect_paired});
  at.time.advance(at.host.loop, 100ms);
  // What was there first and what it became, together.
  std::string told;
  for (const DeviceRow& now : at.supervisor->rows()) {
    told += (told.empty() ? "+" : " +") + now.transport + ":" + now.serial;
    if (now.state != "device") told += "(" + now.state + ")";
  }
  CHECK(told == row.told);
  CHECK(stranger.accepted() == 0);
}

TEST_CASE("announced: a paired phone is followed to its new address", "[loopback]") {
  Bench at;
  at.host.server.stop();
  FakeAdbd before(at.host.loop);
  FakeAdbd after(at.host.loop);
  *at.paired = {"adb-SN1-abcdef"};
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", before.address());
  at.start({.target = at.options(), .discover = false, .connect_paired = true});
  at.time.advance(at.host.loop, 100ms);
  REQUIRE(at.open("adb-SN1-abcdef"));
  before.drop_links();
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef (2)", after.address());
  at.time.advance(at.host.loop, 50ms);  // sooner than any waiting between tries
  const auto device = at.open("adb-SN1-abcdef");
  REQUIRE(device);
  CHECK((*device)->serial() == "adb-SN1-abcdef");
  CHECK(before.accepted() == 1);
  CHECK(after.accepted() == 1);
}

TEST_CASE("announced: another phone at the announced address gets no work", "[loopback]") {
  constexpr const char* kWho =
      "shell,v2,raw:getprop ro.serialno;cat /proc/sys/kernel/random/boot_id 2>/dev/null";
  Bench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  FakeAdbd other(at.host.loop);
  phone.answers(kWho, shell_output("SN1\nb1\n"));
  other.answers(kWho, shell_output("SN2\nb2\n"));
  *at.paired = {"adb-SN1-abcdef"};
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", phone.address());
  at.start({.target = at.options(), .discover = false, .connect_paired = true});
  at.time.advance(at.host.loop, 100ms);
  REQUIRE(at.open("adb-SN1-abcdef"));
  phone.drop_links();
  at.network.announce(AdbService::tls_connect, "adb-SN1-abcdef", other.address());
  at.time.advance(at.host.loop, 500ms);
  CHECK(at.open("adb-SN1-abcdef").error().code() == Errc::device_identity_changed);
}
