#include <catch2/catch.hpp>

#include "cli/adb/context.hpp"
#include "cli/adb/forward_plan.hpp"
#include "cli/adb/wait_for.hpp"

using namespace clawperator;
using namespace clawperator::cli;
using adbproto::DeviceLine;
using adbproto::Errc;
using Words = std::vector<std::string>;

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

const DeviceLine kPhone{.serial = "0123ABC",
                        .state = "device",
                        .devpath = "usb:1-2.3",
                        .product = "oriole",
                        .model = "Pixel 6",
                        .device = "oriole",
                        .transport_id = 4};
const DeviceLine kNetwork{.serial = "192.168.1.5:5555", .state = "device", .transport_id = 5};

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

TEST_CASE("adb forward: bad words are told in adb's words") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{}, "reverse requires an argument"},
      {{"tcp:1"}, "reverse takes two arguments"},
      {{"tcp:1", "tcp:2", "tcp:3"}, "reverse takes two arguments"},
      {{"--list", "x"}, "--list doesn't take any arguments"},
      {{"--remove-all", "x"}, "--remove-all doesn't take any arguments"},
      {{"--remove"}, "--remove requires an argument"},
      {{"--no-rebind", "tcp:1"}, "--no-rebind takes two arguments"},
      {{"tcp:1x", "tcp:2"}, "error: Invalid source port: '1x'"},
      {{"tcp:1", "tcp:0"}, "error: Invalid destination port: '0'"},
      {{"tcp:65536", "tcp:1"}, "error: Invalid source port: '65536'"},
      {{"tcp:2", "*x"}, "error: bad forward: tcp:2;*x"},
      {{"localabstract:a;b", "tcp:1"}, "error: bad forward: localabstract:a;b;tcp:1"},
  }));
  CAPTURE(row.words);
  const auto plan = parse_forward("reverse", row.words);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message() == row.message);
}

TEST_CASE("adb wait-for: transport and state") {
  CHECK(parse_wait("device", Reachable::any)->state == "device");
  CHECK(parse_wait("device", Reachable::usb)->reachable == Reachable::usb);
  CHECK(parse_wait("usb-recovery", Reachable::any)->reachable == Reachable::usb);
  CHECK(parse_wait("usb-recovery", Reachable::any)->state == "recovery");
  CHECK(parse_wait("local-disconnect", Reachable::usb)->reachable == Reachable::local);
  CHECK(parse_wait("any-any", Reachable::local)->reachable == Reachable::any);
}

TEST_CASE("adb wait-for: a state nobody knows") {
  struct Row {
    std::string words, message;
  };
  const auto row = GENERATE(values<Row>({
      {"foo", "bad wait-for- state: any-foo"},
      {"device-x", "bad wait-for- state: any-device-x"},
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
  CHECK(is_chosen(row.context, kPhone) == row.phone);
  CHECK(is_chosen(row.context, kNetwork) == row.network);
}

TEST_CASE("adb choice: none and several, in the server's sentences") {
  TargetOptions by_id;
  by_id.transport_id = 9;
  CHECK(none_chosen(choosing({})).message() == "no devices/emulators found");
  CHECK(none_chosen(serial("x")).message() == "device 'x' not found");
  CHECK(none_chosen(choosing(by_id)).message() == "no device with transport id '9'");
  CHECK(none_chosen(reachable(Reachable::usb)).message() == "no devices found");
  CHECK(none_chosen(reachable(Reachable::local)).message() == "no emulators found");
  CHECK(several_chosen(choosing({})).message() == "more than one device/emulator");
  CHECK(several_chosen(reachable(Reachable::usb)).message() == "more than one device");
  CHECK(several_chosen(reachable(Reachable::local)).message() == "more than one emulator");
}

TEST_CASE("adb table: every subcommand has a name of its own and can be run") {
  for (const AdbCommand* command : adb_commands()) {
    CAPTURE(command->name);
    CHECK_FALSE(command->name.empty());
    CHECK(command->run != nullptr);
    CHECK((command->usage.empty() || command->usage.starts_with(" ")));
    for (const AdbCommand* other : adb_commands()) {
      if (other != command) CHECK(other->name != command->name);
    }
  }
}
