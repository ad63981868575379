#include "runtime/device/resolver/connect.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/target_file.hpp"
#include "support/device_bench.hpp"
#include "support/fake_discovery.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

constexpr const char* kName = "adb-SN1-abcdef";
constexpr const char* kPlace = "10.0.0.2:41234";

// An adb server that holds what `holds` says, and a phone that announces itself.
struct ConnectBench {
  ManualTime time;
  DeviceBench host;
  FakeDiscovery network{host.loop};
  std::vector<std::string> paired;

  ConnectBench() { network.announce(AdbService::tls_connect, kName, kPlace); }

  void holds(const std::string& lines) {
    host.server.answers("host:devices-l", FakeServer::text(""));
    host.server.answers("host:devices", FakeServer::text(lines));
  }
  // As the real one answers about what it holds; else it refuses.
  void has(const std::string& serial) {
    holds(serial + "\tdevice\n");
    host.server.answers("host:disconnect:" + serial, FakeServer::text("disconnected " + serial));
  }
  void has_not(const std::string& serial) {
    host.server.answers("host:disconnect:" + serial,
                        FakeServer::refusal("no such device '" + serial + "'"));
  }
  TargetOptions options() {
    TargetOptions made = host.options();
    auto surroundings = host.usb.surroundings();
    network.use_in(*surroundings);
    surroundings->known_hosts = [guids = paired] { return guids; };
    made.surroundings = surroundings;
    return made;
  }
  Result<std::string> disconnect(const std::string& name) {
    return time.run(host.loop, disconnect_target(options(), name));
  }
};

}  // namespace

TEST_CASE("disconnect: by name, the server gets its own name of the phone", "[loopback]") {
  ConnectBench at;
  const bool is_paired = GENERATE(true, false);
  if (is_paired) at.paired = {kName};
  const std::string serial = GENERATE(std::string(kPlace), std::string(kName),
                                      std::string(kName) + "._adb-tls-connect._tcp",
                                      std::string(kName) + " (2)._adb-tls-connect._tcp");
  at.has(serial);
  const std::string name =
      GENERATE(std::string(kName), std::string(kName) + "._adb-tls-connect._tcp");
  CHECK(at.disconnect(name) == "disconnected " + serial);
  CHECK(read_targets()->changes.contains(serial));
}

TEST_CASE("disconnect: a phone that the server has not is only forgotten, or not known",
          "[loopback]") {
  struct Row {
    const char* name;
    const char* lines;
    bool is_announced;
  };
  const auto row = GENERATE(values<Row>({
      {"the server has phones on USB", "SN2\tdevice\n", true},
      {"the server has another phone", "10.0.0.3:5555\tdevice\n", true},
      {"no phone announces that name", "10.0.0.3:5555\tdevice\n", false},
      {"a name that begins alike", "adb-SN1-abcdefg._adb-tls-connect._tcp\tdevice\n", true},
  }));
  INFO(row.name);
  ConnectBench at;
  at.holds(row.lines);
  at.has_not(kPlace);
  if (!row.is_announced) at.network.fall_silent();
  CHECK_FALSE(at.disconnect(kName));
  REQUIRE(run_task(add_target(kName)));
  CHECK(at.disconnect(kName) == "disconnected adb-SN1-abcdef");
  CHECK(read_targets()->addresses.empty());
  at.paired = {kName};
  CHECK(at.disconnect(kName) == "disconnected adb-SN1-abcdef");
}

TEST_CASE("disconnect: no wait where the server has no device on TCP", "[loopback]") {
  ConnectBench at;
  at.network.fall_silent();
  at.holds("SN2\tdevice\n");
  CHECK(at.disconnect(kName).error().code() == errc::device_not_found);
  CHECK(at.time.elapsed() < 1s);
}

TEST_CASE("disconnect: what the server fails at is no success", "[loopback]") {
  ConnectBench at;
  at.paired = {kName};
  REQUIRE(run_task(add_target(kPlace)));
  const std::string asked = GENERATE(std::string(kName), std::string(kPlace));
  INFO(asked);
  at.has(kPlace);
  SECTION("it is mute") {
    at.host.server.answers("host:devices-l", "", After::is_silent);
    at.host.server.answers("host:disconnect:" + std::string(kPlace), "", After::is_silent);
    CHECK(at.disconnect(asked).error().code() == errc::adb_server_failed);
  }
  SECTION("it is mute and we are interrupted") {
    at.host.server.answers("host:devices-l", "", After::is_silent);
    at.host.server.answers("host:disconnect:" + std::string(kPlace), "", After::is_silent);
    const auto started = at.host.loop.start(disconnect_target(at.options(), asked));
    at.time.advance(at.host.loop, 100ms);
    started->cancel();
    CHECK(at.time.finish(at.host.loop, started).error().code() == errc::cancelled);
  }
  SECTION("it refuses") {
    at.host.server.answers("host:disconnect:" + std::string(kPlace), FakeServer::refusal("busy"));
    CHECK(at.disconnect(asked).error().code() == errc::refused);
  }
  SECTION("no listener, so it is none") {
    at.host.server.stop();
    CHECK(at.disconnect(asked) == "disconnected " + asked);
  }
}

TEST_CASE("disconnect: without a server, what is not known is no target", "[loopback][F49]") {
  ConnectBench at;
  at.host.server.stop();
  const std::string name = GENERATE(kName, kPlace);
  const auto disconnected = at.disconnect(name);
  REQUIRE_FALSE(disconnected);
  CHECK(disconnected.error().code() == errc::device_not_found);
  CHECK(disconnected.error().message() == "no such target: " + name);
}

TEST_CASE("connect: a server that cannot is no end, its error names the other way", "[loopback]") {
  ConnectBench at;
  at.holds("");
  at.host.server.answers("host:connect:10.0.0.2:41234",
                         FakeServer::text("failed to connect to 10.0.0.2:41234"));
  const auto connected = at.time.run(
      at.host.loop, connect_target(at.options(), GENERATE("adb-SN1-abcdef", "10.0.0.2:41234")));
  REQUIRE_FALSE(connected);
  CHECK(connected.error().code() == errc::refused);
  CHECK(connected.error().message() == "failed to connect to 10.0.0.2:41234");
  const auto members = nlohmann::json::parse(connected.error().members());
  CHECK_THAT(members["hint"].get<std::string>(), Catch::Contains("--transport tcp"));
  CHECK(read_targets()->addresses.empty());
}

TEST_CASE("connect: a name that another one only begins with names no phone", "[loopback]") {
  ConnectBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.network.announce(AdbService::tls_connect, kName, phone.address());
  const auto connected =
      at.time.run(at.host.loop, connect_target(at.options(), GENERATE("adb-SN1", "adb-")));
  REQUIRE_FALSE(connected);
  CHECK(phone.accepted() == 0);
}
