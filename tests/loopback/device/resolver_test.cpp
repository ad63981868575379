#include "runtime/device/resolver/resolver.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/connect.hpp"
#include "runtime/device/target_file.hpp"
#include "support/closed_port.hpp"
#include "support/device_bench.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

struct ResolverBench : DeviceBench {
  Result<std::string> resolve(TargetOptions made) {
    auto device = loop.run(resolve_device(std::move(made)));
    if (!device) return std::unexpected(device.error());
    return (*device)->serial();
  }
  Result<std::string> resolve() { return resolve(options()); }
  Result<std::string> resolve(const std::string& serial) {
    TargetOptions made = options();
    made.device = serial;
    return resolve(made);
  }
};

template <class T>
json details(const Result<T>& result) {
  REQUIRE_FALSE(result);
  return json::parse(result.error().members())["details"];
}

}  // namespace

TEST_CASE("target: the only ready device is it", "[loopback]") {
  ResolverBench at;
  at.server_lists({"a offline", "b device", "c unauthorized"});
  CHECK(at.resolve() == "b");
}

TEST_CASE("target: no device at all, and none that is ready", "[loopback]") {
  ResolverBench at;
  at.server_lists({});
  const auto none = at.resolve();
  REQUIRE_FALSE(none);
  CHECK(none.error().code() == errc::no_devices);
  CHECK(none.error().message() == "No connected devices");
  at.server_lists({"a offline", "b no permissions (user in plugdev group?); see [http://x]"});
  const auto unready = at.resolve();
  REQUIRE_FALSE(unready);
  CHECK(unready.error().code() == errc::no_devices);
  CHECK(details(unready)["states"]["a"] == "offline");
  CHECK_THAT(details(unready)["states"]["b"].get<std::string>(),
             Catch::StartsWith("no permissions"));
}

TEST_CASE("target: the named device, or the error that names the ready ones", "[loopback]") {
  ResolverBench at;
  at.server_lists({"a device", "b device", "c offline"});
  CHECK(at.resolve("b") == "b");
  const auto absent = at.resolve("z");
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::device_not_found);
  CHECK(absent.error().message() == "Device z not found or not in device state");
  CHECK(details(absent)["connected"] == json::array({"a", "b"}));
  CHECK_FALSE(details(absent).contains("state"));
  CHECK(details(at.resolve("c"))["state"] == "offline");
}

TEST_CASE("target: several devices need a name", "[loopback]") {
  ResolverBench at;
  at.server_lists({"a device", "b device"});
  const auto several = at.resolve();
  REQUIRE_FALSE(several);
  CHECK(several.error().code() == errc::multiple_devices_device_id_required);
  CHECK(details(several)["devices"] == json::array({"a", "b"}));
  CHECK_THAT(several.error().message(), Catch::Contains("--device a"));
}

TEST_CASE("target: two transports of one phone are one device", "[loopback]") {
  ResolverBench at;
  at.server_lists({"USB1 device", "10.0.0.1:5555 device", "x offline"});
  at.server.answers(kWho, "OKAY" + shell_output("SN-1\r\n"));
  CHECK(at.resolve() == "USB1");
}

TEST_CASE("target: one of several that does not open is not passed over", "[loopback]") {
  ResolverBench at;
  at.server_lists({"a device", "b device"});
  at.server.answers("host-transport-id:1:features", FakeServer::refusal("device offline"));
  const auto several = at.resolve();
  REQUIRE_FALSE(several);
  CHECK(several.error().code() == errc::multiple_devices_device_id_required);
  CHECK(details(several)["devices"] == json::array({"a", "b"}));
}

TEST_CASE("target: ANDROID_SERIAL stands in for --device where it is honoured", "[loopback]") {
  ResolverBench at;
  at.server_lists({"a device", "b device"});
  const Variable serial("ANDROID_SERIAL", "b");
  CHECK(at.resolve() == "b");
  CHECK(at.resolve("a") == "a");
  TargetOptions served = at.options();
  served.honour_android_serial = false;
  CHECK(at.resolve(served).error().code() == errc::multiple_devices_device_id_required);
  const Variable wrong("ANDROID_SERIAL", "gone");
  CHECK(at.resolve().error().code() == errc::device_not_found);
}

TEST_CASE("target: a device that the server refuses at the last moment is an error of its text",
          "[loopback]") {
  ResolverBench at;
  at.server_lists({"a device"});
  at.server.answers("host-transport-id:1:features", FakeServer::refusal("device offline"));
  const auto device = at.resolve();
  REQUIRE_FALSE(device);
  CHECK_THAT(device.error().message(), Catch::Contains("device offline"));
}

TEST_CASE("target: without a server and without targets the server is the error", "[loopback]") {
  ResolverBench at;
  at.server.stop();
  const auto device = at.resolve();
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::adb_server_failed);
  CHECK(details(device)["server"] == at.server.spec());
  CHECK_THAT(device.error().message(), Catch::Contains(at.server.spec()));
  const auto rows = at.loop.run(list_devices(at.options()));
  REQUIRE_FALSE(rows);
  CHECK(rows.error().code() == errc::adb_server_failed);
}

TEST_CASE("target: a server that answers nonsense or nothing is a failed one", "[loopback]") {
  struct Row {
    const char* name;
    std::string reply;
    After after;
  };
  const auto row = GENERATE(values<Row>({
      {"refuses", "FAIL0000", After::closes},
      {"is a web server", "HTTP/1.1 400 Bad Request\r\n\r\n", After::closes},
      {"closes", "", After::closes},
      {"is silent", "", After::is_silent},
  }));
  INFO(row.name);
  ManualTime time;
  ResolverBench at;
  at.server.answers("host:devices-l", row.reply, row.after);
  const auto rows = time.run(at.loop, list_devices(at.options()));
  REQUIRE_FALSE(rows);
  CHECK(rows.error().code() == errc::adb_server_failed);
  CHECK(time.elapsed() < 6s);
}

TEST_CASE("target: an address that is none is the caller's mistake", "[loopback]") {
  ResolverBench at;
  TargetOptions options = at.options();
  options.adb_server = "nonsense:";
  CHECK(at.resolve(options).error().code() == errc::invalid_argument);
  const Variable socket("ADB_SERVER_SOCKET", "tcp:host:port");
  options.adb_server.reset();
  CHECK(at.resolve(options).error().code() == errc::invalid_argument);
}

TEST_CASE("target: --start-server without an adb is refused, a running server needs none",
          "[loopback]") {
  ResolverBench at;
  at.server_lists({"a device"});
  TargetOptions options = at.options();
  options.start_server = true;
  CHECK(at.resolve(options) == "a");
  at.server.stop();
  const auto device = at.resolve(options);
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::adb_not_found);
}

TEST_CASE("target: a kept target is dialled, and named like any other", "[loopback]") {
  ResolverBench at;
  FakeAdbd phone(at.loop);
  REQUIRE(run_task(add_target(phone.address())));
  at.server_lists({});
  CHECK(at.resolve() == phone.address());
  CHECK(at.resolve(phone.address()) == phone.address());
  at.server.stop();
  CHECK(at.resolve() == phone.address());
  TargetOptions only_server = at.options();
  only_server.transport = Transport::server;
  CHECK(at.resolve(only_server).error().code() == errc::adb_server_failed);
}

TEST_CASE("target: a kept target is dialled by the name that the dialect knows it by",
          "[loopback]") {
  const Dialect hosts{.matches =
                          [](const Question& question, const DeviceRow& row) {
                            return row.serial.starts_with(*question.serial + ":");
                          },
                      .worded = kOwnDialect.worded};
  ResolverBench at;
  FakeAdbd phone(at.loop);
  REQUIRE(run_task(add_target(phone.address())));
  at.server.stop();
  TargetOptions options = at.options();
  options.device = "127.0.0.1";
  CHECK_FALSE(at.resolve(options));
  options.dialect = &hosts;
  CHECK(at.resolve(options) == phone.address());
}

TEST_CASE("target: a wrong name shows what is there, and a model names a kept target, too",
          "[loopback]") {
  ResolverBench at;
  FakeAdbd phone(at.loop);
  phone.is_model("Pixel");
  REQUIRE(run_task(add_target(phone.address())));
  const auto check = [&] {
    const auto wrong = at.resolve("mistyped");
    CHECK(details(wrong)["connected"] == json::array({phone.address()}));
    CHECK(wrong.error().code() == errc::device_not_found);
    CHECK(at.resolve("model:Pixel") == phone.address());
  };
  at.server_lists({});
  check();
  at.server.stop();
  check();
}

TEST_CASE("target: a kept target that is off is the error, not the absent server", "[loopback]") {
  ResolverBench at;
  const ClosedPort off;
  REQUIRE(run_task(add_target(off.address())));
  at.server.stop();
  const auto any = at.resolve();
  REQUIRE_FALSE(any);
  CHECK(any.error().code() == errc::no_devices);
  CHECK(details(any)["states"][off.address()] == "offline");
  CHECK_THAT(any.error().message(),
             Catch::StartsWith("No connected devices: ") && Catch::Contains("Connection refused"));
  const auto named = at.resolve(off.address());
  REQUIRE_FALSE(named);
  CHECK(named.error().code() == errc::device_not_found);
  CHECK(details(named)["state"] == "offline");
  CHECK_THAT(named.error().message(), Catch::StartsWith("Device " + off.address() + " not found") &&
                                          Catch::Contains("Connection refused"));
  const auto other = at.resolve("127.0.0.1:2");
  REQUIRE_FALSE(other);
  CHECK(other.error().code() == errc::device_not_found);  // it was dialled
}

TEST_CASE("target: a phone that is far is there for everybody, and work gets delayed_ack",
          "[loopback]") {
  struct Row {
    const char* name;
    std::chrono::milliseconds delay;
    std::size_t answered;
    bool delayed_ack;
  };
  const auto row = GENERATE(values<Row>({
      {"far", 800ms, 9, true},
      {"very far: the second link takes too long", 2200ms, 9, false},
      {"far, with room for one", 800ms, 1, false},
  }));
  INFO(row.name);
  ManualTime time;
  ResolverBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  phone.is_far(row.delay).offers("delayed_ack").answers_only(row.answered);
  REQUIRE(run_task(add_target(phone.address())));
  SECTION("listed") {
    const auto rows = time.run(at.loop, list_devices(at.options()));
    REQUIRE(rows);
    REQUIRE(rows->size() == 1);
    CHECK(rows->front().state.text() == "device");
    time.advance(at.loop, 5s);
    CHECK(phone.accepted() == 1);
  }
  SECTION("used") {
    TargetOptions options = at.options();
    if (GENERATE(true, false)) options.device = phone.address();
    const auto device = time.run(at.loop, resolve_device(options));
    REQUIRE(device);
    CHECK((*device)->facts().delayed_ack == row.delayed_ack);
  }
}

TEST_CASE("target: one that was named may take as long as connecting to it", "[loopback]") {
  ManualTime time;
  ResolverBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  phone.is_far(4500ms);
  CHECK(time.run(at.loop, connect_target(at.options(), phone.address())));
  TargetOptions options = at.options();
  options.device = phone.address();
  CHECK(time.run(at.loop, resolve_device(options)));
}

TEST_CASE("target: one that the server has is used without dialling it, too", "[loopback]") {
  ResolverBench at;
  FakeAdbd phone(at.loop);
  REQUIRE(run_task(add_target(phone.address())));
  at.server_lists({phone.address() + " device"});
  TargetOptions options = at.options();
  options.device = phone.address();
  const auto device = at.loop.run(resolve_device(options));
  REQUIRE(device);
  CHECK((*device)->route() == "server");
  CHECK(phone.accepted() == 0);
}

TEST_CASE("target: who says nothing does not hold up a listing for long", "[loopback]") {
  ManualTime time;
  ResolverBench at;
  at.server_lists({});
  FakeAdbd phone(at.loop);
  phone.answers_only(0);
  REQUIRE(run_task(add_target(phone.address())));
  const auto rows = time.run(at.loop, list_devices(at.options()));
  REQUIRE(rows);
  CHECK(rows->front().state.text() == "offline");
  CHECK(time.elapsed() < 4s);
}

TEST_CASE("target: the same phone by server and by target is one device", "[loopback]") {
  ResolverBench at;
  FakeAdbd phone(at.loop);
  phone.answers(kWho, shell_output("SN-1\n"));
  REQUIRE(run_task(add_target(phone.address())));
  at.server_lists({"USB1 device"});
  at.server.answers(kWho, "OKAY" + shell_output("SN-1\n"));
  CHECK(at.resolve() == "USB1");
  phone.answers(kWho, shell_output("SN-2\n"));
  CHECK(at.resolve().error().code() == errc::multiple_devices_device_id_required);
}

TEST_CASE("target: --transport tcp dials the address itself", "[loopback]") {
  ResolverBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  TargetOptions options = at.options();
  options.transport = Transport::tcp;
  options.device = phone.address();
  CHECK(at.resolve(options) == phone.address());
  options.device = at.server.address().to_string().substr(4);  // no server listens there
  CHECK(at.resolve(options).error().code() == errc::device_not_found);
  options.device = "not an address";
  CHECK(at.resolve(options).error().code() == errc::invalid_argument);
}

TEST_CASE("target: a phone that is not in Android is shown as it is, and gets no work",
          "[loopback]") {
  const std::string state = GENERATE("recovery", "sideload", "rescue", "bootloader");
  ResolverBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  phone.is_in(state);
  REQUIRE(run_task(add_target(phone.address())));
  const auto rows = at.loop.run(list_devices(at.options()));
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  CHECK(rows->front().state.text() == state);
  CHECK(at.resolve().error().code() == errc::no_devices);

  TargetOptions options = at.options();
  options.device = phone.address();
  options.transport = GENERATE(Transport::automatic, Transport::tcp);
  const auto refused = at.resolve(options);
  CHECK(details(refused)["state"] == state);
  CHECK(refused.error().code() == errc::device_not_found);
  options.readiness = Readiness::any;
  CHECK(at.resolve(options) == phone.address());
}

TEST_CASE("devices: a row per transport, from every source", "[loopback]") {
  ResolverBench at;
  FakeAdbd phone(at.loop);
  const ClosedPort off;
  REQUIRE(run_task(add_target(phone.address())));
  REQUIRE(run_task(add_target(off.address())));
  at.server.answers("host:devices-l",
                    FakeServer::text("USB1                   device usb:1-2 product:p model:m "
                                     "device:d transport_id:7\n"
                                     "bad                    offline transport_id:8\n"));
  const auto rows = at.loop.run(list_devices(at.options()));
  REQUIRE(rows);
  REQUIRE(rows->size() == 4);
  const DeviceRow& usb = (*rows)[0];
  CHECK(usb.serial == "USB1");
  CHECK(usb.state.text() == "device");
  CHECK(usb.transport == Transport::server);
  CHECK(usb.transport_id == 7);
  CHECK(usb.product == "p");
  CHECK(usb.model == "m");
  CHECK(usb.device == "d");
  CHECK(usb.bus_address == "usb:1-2");
  CHECK((*rows)[1].state.text() == "offline");
  CHECK((*rows)[2].serial == phone.address());
  CHECK((*rows)[2].state.text() == "device");
  CHECK((*rows)[2].transport == Transport::tcp);
  CHECK((*rows)[3].serial == off.address());
  CHECK((*rows)[3].state.text() == "offline");
}

TEST_CASE("connect: through the server where one runs", "[loopback]") {
  ResolverBench at;
  at.server.answers("host:devices-l", FakeServer::text(""));
  at.server.answers("host:connect:10.0.0.1:5555", FakeServer::text("connected to 10.0.0.1:5555"));
  CHECK(at.loop.run(connect_target(at.options(), "10.0.0.1")) == "connected to 10.0.0.1:5555");
  CHECK(read_targets()->addresses.empty());
  at.server.answers("host:disconnect:10.0.0.1:5555",
                    FakeServer::text("disconnected 10.0.0.1:5555"));
  CHECK(at.loop.run(disconnect_target(at.options(), "10.0.0.1")) == "disconnected 10.0.0.1:5555");
}

TEST_CASE("connect: without a server the target is dialled and kept", "[loopback]") {
  ResolverBench at;
  at.server.stop();
  FakeAdbd phone(at.loop);
  CHECK(at.loop.run(connect_target(at.options(), phone.address())) ==
        "connected to " + phone.address());
  CHECK(read_targets()->addresses == std::vector<std::string>{phone.address()});
  CHECK(at.loop.run(disconnect_target(at.options(), phone.address())) ==
        "disconnected " + phone.address());
  CHECK(read_targets()->addresses.empty());
}

TEST_CASE("connect: what cannot be reached is not kept", "[loopback]") {
  ResolverBench at;
  at.server.stop();
  const ClosedPort off;
  CHECK_FALSE(at.loop.run(connect_target(at.options(), off.address())));
  CHECK(at.loop.run(connect_target(at.options(), "not an address")).error().code() ==
        errc::invalid_argument);
  CHECK(read_targets()->addresses.empty());
  TargetOptions direct = at.options();
  direct.transport = Transport::tcp;
  CHECK(at.loop.run(disconnect_target(direct, off.address())).error().code() ==
        errc::device_not_found);
}
