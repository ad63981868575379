#include "runtime/host/doctor/host_checks.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;
using nlohmann::json;

namespace {

DeviceRow row(std::string serial, const std::string& state,
              Transport transport = Transport::server) {
  return {.serial = std::move(serial), .state = DeviceState(state), .transport = transport};
}

// A server with one ready device.
HostFacts healthy_host() {
  HostFacts facts;
  facts.server.address = "tcp:127.0.0.1:5037";
  facts.server.version = 41;
  facts.server.usb_backend = "libusb";
  facts.server.rows = {row("S1", "device")};
  facts.key = {.path = "/home/me/.android/adbkey", .is_there = true, .fingerprint = "AB"};
  facts.usb.problem = Error(errc::unsupported, "no USB in this system");
  facts.serial = "S1";
  facts.route = "server";
  return facts;
}

HostFacts unresolved(Errc code, std::vector<DeviceRow> rows) {
  HostFacts facts = healthy_host();
  facts.unresolved = Error(code, "why");
  facts.serial.clear();
  facts.server.rows.clear();
  for (const DeviceRow& each : rows) {
    if (each.transport == Transport::server) facts.server.rows.push_back(each);
  }
  facts.rows = std::move(rows);
  return facts;
}

HostFacts without_server(HostFacts facts, Errc code = errc::io) {
  facts.server.problem = Error(code, "connection refused");
  facts.server.rows.clear();
  return facts;
}

UsbDevice phone(UsbDevice::Access access) {
  return {.address = "usb:1-1",
          .serial = "S1",
          .product = "Pixel",
          .bus = 1,
          .device_number = 4,
          .node = "/dev/bus/usb/001/004",
          .access = access,
          .obstacle = "put a udev rule there"};
}

DeviceRow usb(std::string state) {
  DeviceRow found = row("S1", state, Transport::usb);
  found.bus_address = "usb:1-1";
  return found;
}

}  // namespace

TEST_CASE("doctor: a server that answers is reported with its address, version and backend",
          "[host]") {
  const Check check = check_server(healthy_host());
  CHECK(check.status == CheckStatus::pass);
  CHECK(json::parse(check.evidence) ==
        json({{"address", "tcp:127.0.0.1:5037"}, {"version", 41}, {"backend", "libusb"}}));
  CHECK_FALSE(lacks_server(healthy_host()));
}

TEST_CASE("doctor: an absent server is a warning while something else answers", "[host]") {
  struct Row {
    const char* name;
    HostFacts facts;
    CheckStatus status;
  };
  const auto at = GENERATE(values<Row>({
      {"a phone on USB", without_server(healthy_host()), CheckStatus::warn},
      {"two phones on USB",
       without_server(
           unresolved(errc::multiple_devices_device_id_required,
                      {row("A", "device", Transport::usb), row("B", "device", Transport::usb)})),
       CheckStatus::warn},
      {"a phone on USB that wants our key",
       without_server(unresolved(errc::device_unauthorized, {usb("unauthorized")})),
       CheckStatus::warn},
      {"a kept address that is silent",
       without_server(unresolved(errc::no_devices, {row("h:5555", "offline", Transport::tcp)})),
       CheckStatus::warn},
      {"nothing", without_server(unresolved(errc::adb_server_failed, {})), CheckStatus::fail},
      {"a phone on USB that may not be opened",
       without_server(unresolved(errc::usb_no_permission, {usb("no permissions")})),
       CheckStatus::fail},
      {"a phone on USB that somebody holds",
       without_server(unresolved(errc::usb_busy, {usb("busy")})), CheckStatus::fail},
  }));
  INFO(at.name);
  const Check check = check_server(at.facts);
  CHECK(check.status == at.status);
  CHECK(check.code == errc::adb_server_failed);
  CHECK(check.fix.has_value() ==
        (at.status == CheckStatus::fail));  // [C14] no advice that is not needed
  CHECK(lacks_server(at.facts) == (at.status == CheckStatus::fail));
}

TEST_CASE("doctor: a server that hangs or refuses is none that --fix may start", "[host]") {
  const auto facts =
      without_server(unresolved(errc::adb_server_failed, {}), errc::deadline_exceeded);
  CHECK(check_server(facts).status == CheckStatus::fail);
  CHECK_FALSE(lacks_server(facts));
}

TEST_CASE("doctor: with another transport no server is needed", "[host]") {
  HostFacts facts = unresolved(errc::no_devices, {});
  facts.server.is_used = false;
  CHECK(check_server(facts).status == CheckStatus::pass);
  CHECK_FALSE(lacks_server(facts));
}

TEST_CASE("doctor: a key is judged by what is left without it", "[host]") {
  struct Row {
    const char* name;
    HostFacts facts;
    adbproto::UserKeyState key;
    CheckStatus status;
  };
  const Error broken(errc::file_unreadable, "no PEM");
  const Error sealed(errc::file_write_failed, "read-only");
  const HostFacts none = without_server(unresolved(errc::adb_server_failed, {}));
  const auto at = GENERATE_COPY(values<Row>({
      {"usable", healthy_host(), {"k", true, "AB", {}}, CheckStatus::pass},
      {"usable, nothing there", none, {"k", true, "AB", {}}, CheckStatus::pass},
      {"absent, device reached", healthy_host(), {"k", false, "", {}}, CheckStatus::pass},
      {"absent, nothing reached", none, {"k", false, "", {}}, CheckStatus::warn},
      {"broken, device reached", healthy_host(), {"k", true, "", broken}, CheckStatus::warn},
      {"broken, nothing reached", none, {"k", true, "", broken}, CheckStatus::fail},
      {"cannot be made, device reached",
       healthy_host(),
       {"k", false, "", sealed},
       CheckStatus::warn},
      {"cannot be made, nothing reached", none, {"k", false, "", sealed}, CheckStatus::fail},
  }));
  INFO(at.name);
  HostFacts facts = at.facts;
  facts.key = at.key;
  const Check check = check_keys(facts);
  CHECK(check.status == at.status);
  CHECK(check.code.has_value() == (at.status != CheckStatus::pass));
  if (check.code) CHECK(check.code == errc::adb_keys_unusable);
  CHECK(json::parse(check.evidence)["present"] == at.key.is_there);
}

TEST_CASE("doctor: USB that is switched off says so and passes", "[host]") {
  HostFacts facts = healthy_host();
  facts.usb.problem = Error(errc::unsupported, "USB is switched off (CLAWPERATOR_USB=0)");
  const Check check = check_usb(facts);
  CHECK(check.status == CheckStatus::pass);
  CHECK(json::parse(check.evidence) ==
        json({{"enabled", false}, {"reason", "USB is switched off (CLAWPERATOR_USB=0)"}}));
}

TEST_CASE("doctor: a phone on USB is in the way only when no program may use it", "[host]") {
  struct Row {
    const char* name;
    HostFacts facts;
    UsbDevice::Access access;
    CheckStatus status;
    std::optional<Errc> code;
  };
  const HostFacts barred =
      without_server(unresolved(errc::usb_no_permission, {usb("no permissions")}));
  const HostFacts held = without_server(unresolved(errc::usb_busy, {usb("busy")}));
  HostFacts other = healthy_host();  // another device is served
  other.server.rows = {row("emulator-5554", "device")};
  const auto at = GENERATE_COPY(values<Row>({
      {"open", without_server(healthy_host()), UsbDevice::Access::open, CheckStatus::pass, {}},
      {"the server has it", healthy_host(), UsbDevice::Access::denied, CheckStatus::pass, {}},
      {"denied, nothing else", barred, UsbDevice::Access::denied, CheckStatus::fail,
       errc::usb_no_permission},
      {"denied, another device", other, UsbDevice::Access::denied, CheckStatus::warn,
       errc::usb_no_permission},
      {"held, nothing else", held, UsbDevice::Access::open, CheckStatus::fail, errc::usb_busy},
      {"known to be held", other, UsbDevice::Access::busy, CheckStatus::warn, errc::usb_busy},
  }));
  INFO(at.name);
  HostFacts facts = at.facts;
  facts.usb.problem.reset();
  facts.usb.phones = {phone(at.access)};
  const Check check = check_usb(facts);
  CHECK(check.status == at.status);
  CHECK(check.code == at.code);
  const json shown_phone = json::parse(check.evidence)["phones"][0];
  CHECK(shown_phone["address"] == "usb:1-1");
  if (at.status != CheckStatus::pass) CHECK(check.fix);
}

TEST_CASE("doctor: without libusb a phone that only USB leads to is not had", "[host]") {
  struct Row {
    const char* name;
    HostFacts facts;
    CheckStatus status;
  };
  HostFacts other = healthy_host();
  other.server.rows = {row("emulator-5554", "device")};
  const auto at = GENERATE_COPY(values<Row>({
      {"nothing else", without_server(unresolved(errc::adb_server_failed, {usb("offline")})),
       CheckStatus::fail},
      {"another device", other, CheckStatus::warn},
      {"the server has it", healthy_host(), CheckStatus::pass},
  }));
  INFO(at.name);
  HostFacts facts = at.facts;
  facts.usb = {.problem = {},
               .no_library = Error(errc::unsupported, "no libusb; install it"),
               .phones = {phone(UsbDevice::Access::open)}};
  facts.usb.phones.front().obstacle.clear();
  const Check check = check_usb(facts);
  CHECK(check.status == at.status);
  CHECK(json::parse(check.evidence)["phones"][0]["access"] == "closed");
  if (at.status == CheckStatus::pass) return;
  CHECK(check.code == errc::usb_no_permission);
  CHECK(check.summary == "Without libusb the phone S1 cannot be opened.");
  CHECK(check.detail == "no libusb; install it");
  REQUIRE(check.fix);
  CHECK(check.fix->steps.front().value == "sudo apt install libusb-1.0-0");
}

TEST_CASE("doctor: a phone that may not be opened comes with its udev rule", "[host]") {
  HostFacts facts = without_server(unresolved(errc::usb_no_permission, {usb("no permissions")}));
  facts.usb.problem.reset();
  facts.usb.phones = {phone(UsbDevice::Access::denied)};
  const Check check = check_usb(facts);
  REQUIRE(check.fix);
  CHECK(check.fix->steps.front().value == "put a udev rule there");
  CHECK(check.detail == "put a udev rule there");
}

TEST_CASE("doctor: discovery finds the first thing in the way, in the published order", "[host]") {
  struct Row {
    const char* name;
    HostFacts facts;
    std::optional<std::string> asked;
    CheckStatus status;
    std::optional<Errc> code;
  };
  HostFacts beside_locked = healthy_host();
  beside_locked.server.rows.push_back(row("S2", "unauthorized"));
  HostFacts beside_silent = healthy_host();
  beside_silent.server.rows.push_back(row("S2", "offline"));
  const auto several = unresolved(errc::multiple_devices_device_id_required,
                                  {row("A", "device"), row("B", "device")});
  const auto at = GENERATE_COPY(values<Row>({
      {"one", healthy_host(), {}, CheckStatus::pass, {}},
      {"none", unresolved(errc::no_devices, {}), {}, CheckStatus::fail, errc::no_devices},
      {"none, one asked", unresolved(errc::device_not_found, {}), "S1", CheckStatus::fail,
       errc::no_devices},
      {"locked",
       unresolved(errc::no_devices, {row("S1", "unauthorized")}),
       {},
       CheckStatus::fail,
       errc::device_unauthorized},
      {"locked, asked", unresolved(errc::device_not_found, {row("S1", "unauthorized")}), "S1",
       CheckStatus::fail, errc::device_unauthorized},
      {"another is locked", unresolved(errc::device_not_found, {row("S2", "unauthorized")}), "S1",
       CheckStatus::fail, errc::device_not_found},
      {"one ready, another locked",
       beside_locked,
       {},
       CheckStatus::fail,
       errc::device_unauthorized},
      {"one asked, another locked", beside_locked, "S1", CheckStatus::pass, {}},
      {"silent",
       unresolved(errc::no_devices, {row("S1", "offline")}),
       {},
       CheckStatus::fail,
       errc::device_offline},
      {"one asked, another silent", beside_silent, "S1", CheckStatus::pass, {}},
      {"several", several, {}, CheckStatus::warn, errc::multiple_devices_device_id_required},
      {"absent", unresolved(errc::device_not_found, {row("S2", "device")}), "S1", CheckStatus::fail,
       errc::device_not_found},
      {"recovery", unresolved(errc::device_not_found, {row("S1", "recovery")}), "S1",
       CheckStatus::fail, errc::device_not_found},
      {"lost when opened",
       unresolved(errc::link_lost, {row("S1", "device")}),
       {},
       CheckStatus::fail,
       errc::link_lost},
  }));
  INFO(at.name);
  HostFacts facts = at.facts;
  facts.question.serial = at.asked;
  const Check check = check_discovery(facts);
  CHECK(check.id == "device.discovery");
  CHECK(check.status == at.status);
  CHECK(check.code == at.code);
  CHECK(check.fix.has_value() == (at.status != CheckStatus::pass));
}

TEST_CASE("doctor: a dialled device is reported by the dialling", "[host]") {
  struct Row {
    const char* name;
    Errc why;
    Errc code;
  };
  const auto at = GENERATE(values<Row>({
      {"no phone there", errc::device_not_found, errc::device_not_found},
      {"locked", errc::device_unauthorized, errc::device_unauthorized},
      {"silent", errc::deadline_exceeded, errc::device_offline},
      {"cut", errc::closed, errc::device_offline},
      {"another phone", errc::device_identity_changed, errc::device_identity_changed},
  }));
  INFO(at.name);
  HostFacts facts = unresolved(at.why, {});
  facts.server.is_used = false;
  facts.question.serial = "phone:5555";
  const Check check = check_discovery(facts);
  CHECK(check.status == CheckStatus::fail);
  CHECK(check.code == at.code);
  CHECK(check.guidance.has_value() == (at.code == errc::device_unauthorized));
}

TEST_CASE("doctor: discovery's evidence is the serial, or all of them", "[host]") {
  CHECK(json::parse(check_discovery(healthy_host()).evidence)["serial"] == "S1");
  const auto several = unresolved(errc::multiple_devices_device_id_required,
                                  {row("A", "device"), row("B", "device")});
  CHECK(json::parse(check_discovery(several).evidence) == json({{"devices", {"A", "B"}}}));
}

TEST_CASE("doctor: an unauthorized device comes with guidance for its owner", "[host]") {
  const Check check = check_discovery(unresolved(errc::no_devices, {row("S1", "unauthorized")}));
  REQUIRE(check.guidance);
  CHECK_FALSE(check.guidance->screen.empty());
  CHECK_FALSE(check.guidance->steps.empty());
}

TEST_CASE("doctor host: a second program in PATH is named, none is no check", "[host]") {
  HostFacts facts = healthy_host();
  CHECK_FALSE(check_programs(facts));
  facts.own_program = "/opt/clawperator";
  facts.other_programs = {"/usr/bin/clawperator", "/usr/bin/androperator"};
  const auto check = check_programs(facts);
  REQUIRE(check);
  CHECK(check->status == CheckStatus::warn);
  CHECK_FALSE(is_critical(check->id));
  CHECK(check->summary == "PATH has another program: /usr/bin/clawperator.");
  CHECK_THAT(check->detail, Catch::Contains("/opt/clawperator"));
  CHECK(json::parse(check->evidence) == json::parse(R"({"own":"/opt/clawperator",
                        "others":["/usr/bin/clawperator","/usr/bin/androperator"]})"));
}
