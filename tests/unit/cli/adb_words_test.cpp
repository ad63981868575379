#include <catch2/catch.hpp>

#include "cli/adb/context.hpp"
#include "cli/adb/forward.hpp"
#include "cli/adb/wait_for.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;

namespace {

AdbContext choosing(TargetOptions target) { return AdbContext{std::move(target)}; }

AdbContext serial(std::string name) {
  TargetOptions target;
  target.device = std::move(name);
  return choosing(std::move(target));
}

AdbContext reachable(Reachable reachable) {
  TargetOptions target;
  target.reachable = reachable;
  return choosing(std::move(target));
}

const DeviceRow kPhone{.serial = "0123ABC",
                       .state = State::device,
                       .transport = Transport::server,
                       .transport_id = 4,
                       .product = "oriole",
                       .model = "Pixel 6",
                       .device = "oriole",
                       .bus_address = "usb:1-2.3"};
const DeviceRow kNetwork{.serial = "192.168.1.5:5555",
                         .state = State::device,
                         .transport = Transport::server,
                         .transport_id = 5};

}  // namespace

TEST_CASE("adb forward: the words of a plan") {
  using Kind = ForwardPlan::Kind;
  struct Row {
    Words words;
    ForwardPlan plan;
  };
  const auto row = GENERATE(values<Row>({
      {{"--list"}, {.kind = Kind::list}},
      {{"--remove-all"}, {.kind = Kind::remove_all}},
      {{"--remove", "tcp:1"}, {.kind = Kind::remove, .from = "tcp:1"}},
      {{"tcp:0", "tcp:2"}, {.kind = Kind::add, .from = "tcp:0", .to = "tcp:2"}},
      {{"tcp:1", "localabstract:x"}, {.kind = Kind::add, .from = "tcp:1", .to = "localabstract:x"}},
      {{"--no-rebind", "tcp:1", "jdwp:7"},
       {.kind = Kind::add, .from = "tcp:1", .to = "jdwp:7", .rebind = adbproto::Rebind::no}},
  }));
  CAPTURE(row.words);
  const auto plan = parse_forward("forward", row.words);
  REQUIRE(plan);
  CHECK(*plan == row.plan);
}

TEST_CASE("adb forward: bad arguments get adb's own text") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{}, "reverse requires an argument"},
      {{"tcp:1"}, "forward takes two arguments"},
      {{"tcp:1", "tcp:2", "tcp:3"}, "forward takes two arguments"},
      {{"--list", "x"}, "--list doesn't take any arguments"},
      {{"--remove-all", "x"}, "--remove-all doesn't take any arguments"},
      {{"--remove"}, "--remove requires an argument"},
      {{"--no-rebind", "tcp:1"}, "--no-rebind takes two arguments"},
      {{"tcp:1x", "tcp:2"}, "error: Invalid source port: '1x'"},
      {{"tcp:1", "tcp:0"}, "error: Invalid destination port: '0'"},
      {{"tcp:-1", "tcp:1"}, "error: Invalid source port: '-1'"},
      {{"tcp:65536", "tcp:1"}, "error: cannot bind listener: bad port number '65536'"},
      {{"tcp:2", "*x"}, "error: bad forward: tcp:2;*x"},
      {{"localabstract:a;b", "tcp:1"}, "error: bad forward: localabstract:a;b;tcp:1"},
  }));
  CAPTURE(row.words);
  const auto plan = parse_forward("reverse", row.words);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message() == row.message);
}

TEST_CASE("adb wait-for: transport and states") {
  struct Row {
    std::string words;
    Reachable standard;
    Reachable reachable;
    Words states;
  };
  const auto row = GENERATE(values<Row>({
      {"device", Reachable::any, Reachable::any, {"device"}},
      {"device", Reachable::usb, Reachable::usb, {"device"}},
      {"usb-recovery", Reachable::any, Reachable::usb, {"recovery"}},
      {"local-disconnect", Reachable::usb, Reachable::local, {"disconnect"}},
      {"any-any", Reachable::local, Reachable::any, {"any"}},
      {"usb-recovery-sideload", Reachable::any, Reachable::usb, {"recovery", "sideload"}},
      {"recovery-device", Reachable::any, Reachable::any, {"recovery", "device"}},
  }));
  CAPTURE(row.words);
  const auto wait = parse_wait(row.words, row.standard);
  REQUIRE(wait);
  CHECK(wait->reachable == row.reachable);
  CHECK(wait->states == row.states);
}

// As the real server answers, asked about a device on TCP in each of these states.
TEST_CASE("adb wait-for: a device that cannot be used is none") {
  struct Row {
    std::string state, words;
    bool over;
  };
  const auto row = GENERATE(values<Row>({
      {"device", "device", true},
      {"device", "any-any", true},
      {"device", "disconnect", false},
      {"device", "recovery", false},
      {"device", "disconnect-device", true},
      {"recovery", "recovery", true},
      {"recovery", "device-recovery", true},
      {"recovery", "device", false},
      {"recovery", "any-any", true},
      {"recovery", "disconnect", false},
      {"offline", "any-any", false},
      {"offline", "disconnect", true},
      {"unauthorized", "any-any", false},
      {"unauthorized", "disconnect", true},
      {"authorizing", "any-any", false},
      {"no permissions (no udev rule); see [http://x]", "any-any", false},
  }));
  CAPTURE(row.state, row.words);
  const auto wait = parse_wait(row.words, Reachable::any);
  REQUIRE(wait);
  const std::vector<DeviceRow> lines{{.serial = "10.0.0.1:5555", .state = DeviceState(row.state)}};
  CHECK(is_over(choosing({}), *wait, lines) == row.over);
}

TEST_CASE("adb wait-for: no device there, and too many") {
  const auto device = parse_wait("device", Reachable::any);
  const auto disconnect = parse_wait("disconnect", Reachable::any);
  CHECK(is_over(choosing({}), *device, {}) == false);
  CHECK(is_over(choosing({}), *disconnect, {}) == true);
  const std::vector<DeviceRow> two{kPhone, kNetwork};
  CHECK_FALSE(is_over(choosing({}), *disconnect, two));
  CHECK(is_over(choosing({}), *device, two).error().message() == "more than one device/emulator");
  CHECK(is_over(serial("0123ABC"), *device, two) == true);
  std::vector<DeviceRow> locked = two;
  locked[0].state = State::no_permissions;
  CHECK(is_over(choosing({}), *device, locked) == true);
}

TEST_CASE("adb wait-for: an unknown state") {
  struct Row {
    std::string words, message;
  };
  const auto row = GENERATE(values<Row>({
      {"foo", "bad wait-for- state: any-foo"},
      {"device-x", "bad wait-for- state: any-device-x"},
      {"device-", "bad wait-for- state: any-device-"},
      {"usb-", "bad wait-for- state: usb-"},
      {"", "bad wait-for- state: any-"},
      {"any", "short wait-for-: any"},
      {"usb", "short wait-for-: usb"},
  }));
  const auto wait = parse_wait(row.words, Reachable::any);
  REQUIRE_FALSE(wait);
  CHECK(wait.error().message() == row.message);
}

TEST_CASE("adb choice: a device is named as the adb server would let it be named") {
  struct Row {
    AdbContext context;
    bool phone, network;
  };
  TargetOptions by_id;
  by_id.transport_id = 5;
  const auto row = GENERATE_COPY(values<Row>({
      {choosing({}), true, true},
      {serial("0123ABC"), true, false},
      {serial("0123AB"), false, false},
      {serial("usb:1-2.3"), true, false},
      {serial("model:Pixel_6"), true, false},
      {serial("model:Pixel 6"), false, false},
      {serial("product:oriole"), true, false},
      {serial("192.168.1.5"), false, true},
      {serial("192.168.1.5:5555"), false, true},
      {choosing(by_id), false, true},
      {reachable(Reachable::usb), true, false},
      {reachable(Reachable::local), false, true},
  }));
  const Question question = adb_question(row.context, Readiness::any);
  CHECK(question.matches(kPhone) == row.phone);
  CHECK(question.matches(kNetwork) == row.network);
}

TEST_CASE("adb choice: none and several, in the server's sentences") {
  TargetOptions by_id;
  by_id.transport_id = 9;
  const auto none = [](const AdbContext& context) {
    return std::get<Refuse>(decide({}, adb_question(context, Readiness::any))).why.message();
  };
  CHECK(none(choosing({})) == "no devices/emulators found");
  CHECK(none(serial("x")) == "device 'x' not found");
  CHECK(none(choosing(by_id)) == "no device with transport id '9'");
  CHECK(none(reachable(Reachable::usb)) == "no devices found");
  CHECK(none(reachable(Reachable::local)) == "no emulators found");
  const auto several = [](const AdbContext& context) {
    const std::vector<Way> ways{{kPhone, {"SN-1", "b"}}, {kNetwork, {"SN-2", "b"}}};
    return check_one_phone(ways, adb_question(context, Readiness::any)).error().message();
  };
  CHECK(several(choosing({})) == "more than one device/emulator");
  CHECK(several(reachable(Reachable::usb)) == "more than one device");
  CHECK(several(reachable(Reachable::local)) == "more than one emulator");
}

TEST_CASE("adb choice: an address that is kept and does not answer is offline") {
  const Candidate silent{
      {.serial = "192.168.1.5:5555", .state = State::offline, .transport = Transport::tcp},
      Error(errc::io, "")};
  const auto refusal = [&](const AdbContext& context) {
    return std::get<Refuse>(decide({silent}, adb_question(context, Readiness::any))).why.message();
  };
  CHECK(refusal(serial("192.168.1.5:5555")) == "device offline");
  CHECK(refusal(choosing({})) == "no devices/emulators found");
}

TEST_CASE("adb table: every subcommand has a name of its own and can be run") {
  for (const AdbCommand& command : adb_commands()) {
    CAPTURE(command.name);
    CHECK_FALSE(command.name.empty());
    CHECK(command.run != nullptr);
    CHECK((command.usage.empty() || command.usage.starts_with(" ")));
    for (const AdbCommand& other : adb_commands()) {
      if (&other != &command) CHECK(other.name != command.name);
    }
  }
}
