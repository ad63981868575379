#include "runtime/device/resolver/resolver.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/target_file.hpp"
#include "support/device_bench.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

// "route serial" of the device that was chosen.
struct RoutesBench : DeviceBench {
  Result<std::string> resolve(TargetOptions made) {
    auto device = loop.run(resolve_device(std::move(made)));
    if (!device) return std::unexpected(device.error());
    return std::string((*device)->route()) + " " + (*device)->serial();
  }
  Result<std::string> resolve() { return resolve(options()); }
  Result<std::string> resolve(const std::string& serial,
                              Transport transport = Transport::automatic) {
    TargetOptions made = options();
    made.device = serial;
    made.transport = transport;
    return resolve(made);
  }
};

}  // namespace

TEST_CASE("usb route: without a server the phone on USB is it", "[loopback]") {
  RoutesBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  CHECK(at.resolve() == "usb SN-1");
  CHECK(at.resolve("SN-1") == "usb SN-1");
  CHECK(at.resolve("usb:1-2") == "usb SN-1");
  CHECK(at.resolve("SN-1", Transport::usb) == "usb SN-1");
  CHECK(at.resolve("SN-1", Transport::server).error().code() == errc::adb_server_failed);
  CHECK(at.resolve("SN-2").error().code() == errc::device_not_found);
}

TEST_CASE("usb route: a server that holds the device is queried first, and USB not even started",
          "[loopback]") {
  RoutesBench at;
  at.server_lists({"SN-1 device usb:1-2"});
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  CHECK(at.resolve() == "server SN-1");
  CHECK(at.resolve("SN-1") == "server SN-1");
  CHECK(at.usb.starts() == 0);
  CHECK(at.resolve("SN-1", Transport::usb) == "usb SN-1");
}

TEST_CASE("usb route: a phone that the server does not hold is reached directly", "[loopback]") {
  RoutesBench at;
  at.server_lists({"SN-1 device usb:1-2"});
  FakeAdbd first(at.loop);
  FakeAdbd second(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &first);
  at.usb.plug("usb:1-3", "SN-2", &second);
  CHECK(at.resolve("SN-2") == "usb SN-2");
  CHECK(first.accepted() == 0);  // another one's phone is left alone
  at.server_lists({});
  CHECK(at.resolve().error().code() == errc::multiple_devices_device_id_required);
}

TEST_CASE("usb route: a name that no phone has opens no phone on USB; adb dials no target for it",
          "[loopback]") {
  RoutesBench at;
  at.server.stop();
  FakeAdbd plugged(at.loop);
  FakeAdbd target(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &plugged);
  REQUIRE(run_task(add_target(target.address())));
  const Dialect polling{.matches = kOwnDialect.matches, .worded = kOwnDialect.worded};
  TargetOptions options = at.options();
  options.device = "mistyped";
  options.dialect = &polling;
  CHECK(at.resolve(options).error().code() == errc::adb_server_failed);
  CHECK(target.accepted() == 0);
  options.dialect = nullptr;
  CHECK(at.resolve(options).error().code() == errc::device_not_found);
  CHECK(target.accepted() > 0);
  CHECK(plugged.accepted() == 0);
}

TEST_CASE("usb route: the same phone by USB and by TCP is one device, by USB", "[loopback]") {
  RoutesBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  phone.answers(kWho, shell_output("SN-1\n"));
  at.usb.plug("usb:1-2", "SN-1", &phone);
  REQUIRE(run_task(add_target(phone.address())));
  CHECK(at.resolve() == "usb SN-1");
  CHECK(at.resolve(phone.address()) == "tcp " + phone.address());
}

TEST_CASE("usb route: two phones that say the same of themselves are two", "[loopback]") {
  RoutesBench at;
  FakeAdbd first(at.loop);
  FakeAdbd second(at.loop);
  first.answers(kWho, shell_output("0123456789ABCDEF\nboot-1\n"));
  second.answers(kWho, shell_output("0123456789ABCDEF\nboot-2\n"));
  SECTION("on two sockets") {
    at.usb.plug("usb:1-1", "0123456789ABCDEF", &first);
    at.usb.plug("usb:1-2", "0123456789ABCDEF", &second);
    const auto several = at.resolve();
    REQUIRE_FALSE(several);
    CHECK(several.error().code() == errc::multiple_devices_device_id_required);
    CHECK(nlohmann::json::parse(several.error().members())["details"]["devices"] ==
          nlohmann::json::array({"usb:1-1", "usb:1-2"}));
    CHECK(at.resolve("usb:1-2") == "usb 0123456789ABCDEF");
  }
  SECTION("on a cable and in the network") {
    at.usb.plug("usb:1-1", "0123456789ABCDEF", &first);
    REQUIRE(run_task(add_target(second.address())));
    CHECK(at.resolve().error().code() == errc::multiple_devices_device_id_required);
  }
}

TEST_CASE("usb route: a busy phone is not taken for its twin that the server holds", "[loopback]") {
  ManualTime time;
  RoutesBench at;
  at.server_lists({"SN-1 device usb:1-2"});
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-3", "SN-1", &phone);
  at.usb.refuses("usb:1-3", Error(errc::usb_busy, "held by scrcpy (pid 7)"));
  TargetOptions options = at.options();
  options.device = "usb:1-3";
  const auto device = time.run(at.loop, resolve_device(options));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::usb_busy);
}

TEST_CASE("usb route: why a phone cannot be used is the error", "[loopback]") {
  struct Row {
    const char* name;
    Error refusal;
    const char* state;
  };
  const auto row = GENERATE(values<Row>({
      {"no permission", {errc::usb_no_permission, "no udev rule"}, "no permissions"},
      {"somebody else's", {errc::usb_busy, "held by scrcpy (pid 7)"}, "busy"},
      {"unknown key", {errc::device_unauthorized, "does not know our key"}, "unauthorized"},
  }));
  INFO(row.name);
  RoutesBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  at.usb.refuses("usb:1-2", row.refusal);
  TargetOptions options = at.options();
  options.authorization_limit = 0ms;
  CHECK(at.resolve(options).error() == row.refusal);
  options.device = "SN-1";
  CHECK(at.resolve(options).error() == row.refusal);
  const auto rows = at.loop.run(list_devices(options));
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  CHECK(rows->front().state.text() == row.state);
  CHECK(rows->front().obstacle == row.refusal.message());
  CHECK(rows->front().bus_address == "usb:1-2");
}

TEST_CASE("usb route: a phone that the server takes meanwhile is used through it", "[loopback]") {
  ManualTime time;
  RoutesBench at;
  at.server_lists({});
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  at.usb.refuses("usb:1-2", Error(errc::usb_busy, "held by adb (pid 7)"));
  auto started = at.loop.start(resolve_device(at.options()));
  for (int i = 0; i < 5; ++i) time.advance(at.loop, 10ms);
  CHECK_FALSE(started->done());
  at.server_lists({"SN-1 device usb:1-2"});
  const auto device = time.finish(at.loop, started);
  REQUIRE(device);
  CHECK((*device)->route() == "server");
  CHECK(time.elapsed() < 2s);
}

TEST_CASE("usb route: held by somebody the server does not know, it is the error, soon",
          "[loopback]") {
  ManualTime time;
  RoutesBench at;
  at.server_lists({});
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  at.usb.refuses("usb:1-2", Error(errc::usb_busy, "held by adb (pid 7)"));
  const auto device = time.run(at.loop, resolve_device(at.options()));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::usb_busy);
  CHECK_THAT(device.error().message(), Catch::Contains("pid 7"));
  CHECK(time.elapsed() < 3s);
}

TEST_CASE("usb route: a chosen unauthorized phone gets the request again, a listed one never",
          "[loopback]") {
  RoutesBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  at.usb.refuses("usb:1-2", Error(errc::device_unauthorized, "does not know our key"));
  constexpr std::size_t kOneLook = 2;  // one refusal may be about an old token
  REQUIRE(at.loop.run(list_devices(at.options())));
  CHECK(at.usb.opens() == kOneLook);
  CHECK(at.resolve().error().code() == errc::device_unauthorized);
  CHECK(at.usb.opens() == 3 * kOneLook);
}

TEST_CASE("devices: USB phones stand beside the server's, held ones once", "[loopback]") {
  RoutesBench at;
  at.server_lists({"SN-1 device usb:1-2", "10.0.0.1:5555 device"});
  FakeAdbd phone(at.loop);
  phone.answers(
      "shell,v2,raw:getprop ro.serialno;getprop ro.product.name;getprop ro.product.model;"
      "getprop ro.product.device",
      shell_output("SN-2\nproduct2\nModel 2\n\n"));
  at.usb.plug("usb:1-2", "SN-1", &phone);
  at.usb.plug("usb:1-3", "", &phone);
  const auto rows = at.loop.run(list_devices(at.options(), Detail::described));
  REQUIRE(rows);
  REQUIRE(rows->size() == 3);
  const DeviceRow& usb = rows->back();
  CHECK(usb.serial == "usb:1-3");  // has no serial of its own
  CHECK(usb.transport == Transport::usb);
  CHECK(usb.state.text() == "device");
  CHECK(usb.identity == "SN-2");
  CHECK(usb.product == "product2");
  CHECK(usb.model == "Model 2");
  CHECK(usb.device.empty());
  CHECK(usb.usb_speed_mbit == 480);
  REQUIRE(usb.facts);
  CHECK(usb.facts->max_payload == 1 << 20);
}

TEST_CASE("open row: the row's own route, whatever else leads to that phone", "[loopback]") {
  RoutesBench at;
  at.server_lists({"SN-1 device usb:1-2"});
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-3", "SN-1", &phone);
  const auto rows = at.loop.run(list_devices(at.options()));
  REQUIRE(rows);
  REQUIRE(rows->size() == 2);
  for (const DeviceRow& row : *rows) {
    const auto device = at.loop.run(open_row(at.options(), row));
    REQUIRE(device);
    CHECK((*device)->route() == transport_name(row.transport));
    CHECK((*device)->serial() == "SN-1");
  }
  DeviceRow gone = rows->back();
  gone.bus_address = "usb:9-9";
  CHECK(at.loop.run(open_row(at.options(), gone)).error().code() == errc::device_not_found);
}

TEST_CASE("target: adb's -t, -d and -e", "[loopback]") {
  RoutesBench at;
  at.server_lists({"SN-1 device usb:1-2", "10.0.0.1:5555 device", "emulator-5554 offline"});
  TargetOptions options = at.options();
  options.transport_id = 2;
  CHECK(at.resolve(options) == "server 10.0.0.1:5555");
  options.transport_id = 3;
  CHECK(at.resolve(options).error().code() == errc::device_not_found);
  options = at.options();
  options.reachable = Reachable::usb;
  CHECK(at.resolve(options) == "server SN-1");
  options.reachable = Reachable::local;
  CHECK(at.resolve(options) == "server 10.0.0.1:5555");
  CHECK(at.usb.starts() == 0);
}

TEST_CASE("usb route: a phone that says nothing is reset once, when it was chosen", "[loopback]") {
  ManualTime time;
  RoutesBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  at.usb.mutes("usb:1-2");
  const auto rows = time.run(at.loop, list_devices(at.options()));
  REQUIRE(rows);
  CHECK(rows->front().state.text() == "offline");
  CHECK(at.usb.resets() == 0);
  TargetOptions options = at.options();
  if (GENERATE(true, false)) options.device = "SN-1";
  const auto device = time.run(at.loop, resolve_device(options));
  REQUIRE(device);
  CHECK((*device)->serial() == "SN-1");
  CHECK(at.usb.resets() == 1);
}

TEST_CASE("usb route: of two phones that say nothing none is reset", "[loopback]") {
  ManualTime time;
  RoutesBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  for (const char* place : {"usb:1-2", "usb:1-3"}) {
    at.usb.plug(place, std::string("SN") + place, &phone);
    at.usb.mutes(place);
  }
  REQUIRE_FALSE(time.run(at.loop, resolve_device(at.options())));
  CHECK(at.usb.resets() == 0);
}

TEST_CASE("usb route: a server that was just asked in vain is not asked again", "[loopback]") {
  RoutesBench at;
  at.server_lists({"SN-9 device"});
  FakeAdbd phone(at.loop);
  at.usb.plug("usb:1-2", "SN-1", &phone);
  TargetOptions options = at.options();
  options.server_is_absent = true;
  CHECK(at.resolve(options) == "usb SN-1");
  CHECK(at.server.requests().empty());
}

TEST_CASE("devices: the identities of the server's are read at the same time", "[loopback]") {
  ManualTime time;
  RoutesBench at;
  at.server_lists({"SN-1 device", "SN-2 device", "SN-3 device"});
  at.server.answers(
      "shell,v2,raw:getprop ro.serialno;getprop ro.product.name;getprop ro.product.model;"
      "getprop ro.product.device",
      "OKAY", After::is_silent);
  const auto rows = time.run(at.loop, list_devices(at.options(), Detail::described));
  REQUIRE(rows);
  CHECK(rows->size() == 3);
  CHECK(time.elapsed() < 3s);  // one device's limit is 2 s
}
