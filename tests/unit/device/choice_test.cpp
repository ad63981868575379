#include "runtime/device/choice/choice.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace adbproto;
using nlohmann::json;
using Indices = std::vector<std::size_t>;

namespace {

DeviceRow server(const std::string& serial, const std::string& state, const std::string& id,
                 const std::string& place = {}) {
  DeviceRow row{.serial = serial, .state = DeviceState(state), .transport = Transport::server};
  row.transport_id = std::stoull(id);
  row.bus_address = place;
  return row;
}
DeviceRow usb(const std::string& serial, const std::string& state, const std::string& place) {
  DeviceRow row{.serial = serial, .state = DeviceState(state), .transport = Transport::usb};
  row.bus_address = place;
  return row;
}
DeviceRow tcp(const std::string& address, const std::string& state) {
  return {.serial = address, .state = DeviceState(state), .transport = Transport::tcp};
}

const std::vector<DeviceRow> kMixed{server("A", "device", "1", "usb:1-1"),
                                    server("10.0.0.2:5555", "device", "2"),
                                    server("B", "offline", "3", "usb:1-2"),
                                    usb("C", "device", "usb:2-1"), tcp("10.0.0.2:5555", "device")};

}  // namespace

TEST_CASE("choice: who is meant by a question", "[unit]") {
  struct Row {
    const char* name;
    Question question;
    Indices chosen;  // empty: an error
    Errc error = errc::unknown;
  };
  const auto row = GENERATE(values<Row>({
      {"no phone is named: all ready ones", {}, {0, 1, 3, 4}},
      {"a serial", {.serial = "A"}, {0}},
      {"a serial on two routes: the better one", {.serial = "10.0.0.2:5555"}, {1}},
      {"a place on USB", {.serial = "usb:2-1"}, {3}},
      {"a place that the server names", {.serial = "usb:1-1"}, {0}},
      {"a transport id", {.transport_id = 2}, {1}},
      {"a transport id that is gone", {.transport_id = 9}, {}, errc::device_not_found},
      {"only USB", {.reachable = Reachable::usb}, {0, 3}},
      {"only TCP", {.reachable = Reachable::local}, {1, 4}},
      {"not ready", {.serial = "B"}, {}, errc::device_not_found},
      {"absent", {.serial = "Z"}, {}, errc::device_not_found},
      {"a part of a serial", {.serial = "10.0.0"}, {}, errc::device_not_found},
      {"an empty place names no phone", {.serial = ""}, {}, errc::device_not_found},
  }));
  INFO(row.name);
  const auto chosen = choose_rows(kMixed, row.question);
  REQUIRE(chosen.has_value() == !row.chosen.empty());
  if (chosen) CHECK(*chosen == row.chosen);
  if (!chosen) CHECK(chosen.error().code() == row.error);
}

TEST_CASE("choice: two phones with one serial need their place", "[unit]") {
  const std::vector<DeviceRow> twins{server("0123456789ABCDEF", "device", "1", "usb:1-1"),
                                     server("0123456789ABCDEF", "device", "2", "usb:1-2")};
  const auto chosen = choose_rows(twins, {.serial = "0123456789ABCDEF"});
  REQUIRE_FALSE(chosen);
  CHECK(chosen.error().code() == errc::multiple_devices_device_id_required);
  CHECK(json::parse(chosen.error().members())["details"]["devices"] ==
        json::array({"usb:1-1", "usb:1-2"}));
  CHECK(choose_rows(twins, {.serial = "usb:1-2"}) == Indices{1});
  CHECK(choose_rows(twins, {.serial = "0123456789ABCDEF", .transport_id = 1}) == Indices{0});
}

TEST_CASE("choice: several ways to one phone, and what are two phones", "[unit][F5][W7]") {
  struct Row {
    const char* name;
    std::vector<Way> ways;
    bool one;
  };
  const DeviceRow cable = usb("A", "device", "usb:1-1");
  const DeviceRow network = tcp("10.0.0.2:5555", "device");
  const DeviceRow other = tcp("10.0.0.3:5555", "device");
  const auto row = GENERATE_COPY(values<Row>({
      {"cable and network", {{cable, {"SN", "b1"}}, {network, {"SN", "b1"}}}, true},
      {"one of them hides its boot", {{cable, {"SN", ""}}, {network, {"SN", "b1"}}}, true},
      {"another boot", {{cable, {"SN", "b1"}}, {network, {"SN", "b2"}}}, false},
      {"another serial number", {{cable, {"SN-1", "b1"}}, {network, {"SN-2", "b1"}}}, false},
      {"two sockets of the bus",
       {{cable, {"SN", "b1"}}, {usb("A", "device", "usb:1-2"), {"SN", "b1"}}},
       false},
      {"two sockets as a server names them",
       {{server("A", "device", "1", "1-1"), {"SN", ""}},
        {server("A", "device", "2", "1-2"), {"SN", ""}}},
       false},
      {"a server's cable and network",
       {{server("A", "device", "1", "1-1"), {"SN", ""}},
        {server("10.0.0.2:5555", "device", "2"), {"SN", ""}}},
       true},
      {"who hides its boot is no bridge",
       {{cable, {"SN", ""}}, {network, {"SN", "b1"}}, {other, {"SN", "b2"}}},
       false},
      {"neither route reports an identity", {{cable, {"", ""}}, {network, {"", ""}}}, false},
      {"neither route reports an identity, the same boot",
       {{cable, {"", "b1"}}, {network, {"", "b1"}}},
       false},
      {"neither route reports an identity, one address",
       {{server("10.0.0.2:5555", "device", "1"), {"", ""}}, {network, {"", ""}}},
       true},
      {"two emulators of one version",
       {{server("emulator-5554", "device", "1"), {"EMULATOR35X6X3X0", "b1"}},
        {server("emulator-5556", "device", "2"), {"EMULATOR35X6X3X0", "b2"}}},
       false},
      {"an emulator by two ways",
       {{server("emulator-5554", "device", "1"), {"EMULATOR35X6X3X0", "b1"}},
        {network, {"EMULATOR35X6X3X0", "b1"}}},
       true},
      {"a number that many have, and no boot",
       {{server("emulator-5554", "device", "1"), {"EMULATOR35X6X3X0", ""}},
        {network, {"EMULATOR35X6X3X0", "b1"}}},
       false},
      {"only one says who it is", {{cable, {"SN", "b1"}}, {network, {"", "b1"}}}, false},
  }));
  INFO(row.name);
  const auto judged = check_one_phone(row.ways, {});
  REQUIRE(judged.has_value() == row.one);
  if (!judged) CHECK(judged.error().code() == errc::multiple_devices_device_id_required);
}

TEST_CASE("choice: a phone that the server detached, or may not open, is not held by it",
          "[unit]") {
  const DeviceRow phone = usb("A", "device", "usb:1-1");
  CHECK(holds(server("A", "offline", "1", "usb:1-1"), phone));
  CHECK_FALSE(holds(server("A", "detached", "1", "usb:1-1"), phone));
  const char* const barred = "no permissions (missing udev rules?); see [http://x]";
  CHECK_FALSE(holds(server("A", barred, "1", "usb:1-1"), phone));
}

namespace {

Candidate with(DeviceRow row, Errc problem) { return {std::move(row), Error(problem, "why")}; }
Candidate locked(const std::string& serial, const std::string& place) {
  return with(usb(serial, "unauthorized", place), errc::device_unauthorized);
}

const Question kOffering{.offers_key = true};
const Question kB{.serial = "B", .offers_key = true};
const Question kAddress{.serial = "10.0.0.9:5555", .dialling = Dialling::unlisted};
const Question kDialled{.serial = "10.0.0.9:5555", .dialling = Dialling::always};

}  // namespace

TEST_CASE("choice: what is done about what was found", "[unit]") {
  struct Row {
    const char* name;
    std::vector<Candidate> found;
    Question question;
    Decision decision;
  };
  const Candidate ready{usb("A", "device", "usb:1-1")};
  const Candidate mute = with(usb("A", "offline", "usb:1-1"), errc::deadline_exceeded);
  const Candidate silent = with(tcp("10.0.0.9:5555", "offline"), errc::io);
  const Candidate held{server("A", "unauthorized", "1")};
  const auto refusal = [](Errc code) { return Refuse{Error(code, "")}; };
  const auto row = GENERATE_COPY(values<Row>({
      {"the only one", {ready}, {}, Open{{0}}},
      {"one is ready, no owner is bothered", {locked("B", "usb:1-2"), ready}, kOffering, Open{{1}}},
      {"several, which may be one phone",
       {ready, {tcp("10.0.0.2:5555", "device")}},
       {},
       Open{{0, 1}}},
      {"twins on one kind of route",
       {ready, {usb("A", "device", "usb:1-2")}},
       {.serial = "A"},
       refusal(errc::multiple_devices_device_id_required)},
      {"a locked one, whose owner may get the dialog",
       {locked("A", "usb:1-1")},
       kOffering,
       Connect{0}},
      {"a locked one in the network",
       {with(tcp("10.0.0.2:5555", "unauthorized"), errc::device_unauthorized)},
       kOffering,
       Connect{0}},
      {"a locked one, no owner there to confirm",
       {locked("A", "usb:1-1")},
       {},
       refusal(errc::device_unauthorized)},
      {"a locked one that the server holds", {held}, kOffering, refusal(errc::no_devices)},
      {"two locked ones: neither",
       {locked("A", "usb:1-1"), locked("B", "usb:1-2")},
       kOffering,
       refusal(errc::no_devices)},
      {"two locked ones, one is named",
       {locked("A", "usb:1-1"), locked("B", "usb:1-2")},
       kB,
       Connect{1}},
      {"a mute one is worth a try", {mute}, {}, Connect{0}},
      {"a mute one that failed otherwise is not",
       {with(usb("A", "offline", "usb:1-1"), errc::protocol)},
       {},
       refusal(errc::no_devices)},
      {"a mute one beside another one", {mute, held}, {}, refusal(errc::no_devices)},
      {"an address that no source lists",
       {ready},
       kAddress,
       Dial{"10.0.0.9:5555", Error(errc::device_not_found, "")}},
      {"an address that was just dialled", {silent}, kAddress, refusal(errc::device_not_found)},
      {"an address over TCP is dialled, listed or not",
       {silent},
       kDialled,
       Dial{"10.0.0.9:5555", Error(errc::device_not_found, "")}},
      {"a name that is no address", {ready}, {.serial = "Z"}, refusal(errc::device_not_found)},
      {"a phone that another program has",
       {with(usb("A", "busy", "usb:1-1"), errc::usb_busy)},
       {},
       Refuse{Error(errc::usb_busy, ""), 0}},
      {"no right to open it",
       {with(usb("A", "no permissions", "usb:1-1"), errc::usb_no_permission)},
       {},
       refusal(errc::usb_no_permission)},
      {"another phone answers in its place",
       {with(tcp("10.0.0.2:5555", "offline"), errc::device_identity_changed)},
       {},
       refusal(errc::device_identity_changed)},
      {"nothing at all", {}, {}, refusal(errc::no_devices)},
  }));
  INFO(row.name);
  const Decision decision = decide(row.found, row.question);
  REQUIRE(decision.index() == row.decision.index());
  if (const auto* open = std::get_if<Open>(&decision)) {
    CHECK(open->rows == std::get<Open>(row.decision).rows);
  }
  if (const auto* one = std::get_if<Connect>(&decision)) {
    CHECK(one->row == std::get<Connect>(row.decision).row);
  }
  if (const auto* dial = std::get_if<Dial>(&decision)) {
    CHECK(dial->address == std::get<Dial>(row.decision).address);
    CHECK(dial->absent.code() == errc::device_not_found);
  }
  if (const auto* refused = std::get_if<Refuse>(&decision)) {
    CHECK(refused->why.code() == std::get<Refuse>(row.decision).why.code());
    CHECK(refused->held == std::get<Refuse>(row.decision).held);
  }
}

TEST_CASE("choice: a server that is down is the reason only where nothing else is known",
          "[unit]") {
  const auto code = [](const std::vector<Candidate>& found, const Question& question) {
    const Error down{errc::adb_server_failed, "down"};
    return std::get<Refuse>(decide(found, question, down)).why.code();
  };
  const Candidate ready{usb("A", "device", "usb:1-1")};
  const Candidate offline = with(tcp("10.0.0.2:5555", "offline"), errc::io);
  CHECK(code({}, {}) == errc::adb_server_failed);
  // A named device that no source has is not there, unless the server was the only source.
  CHECK(code({offline}, {.serial = "Z"}) == errc::device_not_found);
  CHECK(code({}, {.serial = "Z", .searched = Transport::server}) == errc::adb_server_failed);
  CHECK(code({offline}, {}) == errc::no_devices);
  CHECK(code({ready}, {.serial = "Z"}) == errc::device_not_found);
}

TEST_CASE("choice: an absent device is reported with what each source has", "[unit][C16]") {
  const Error down{errc::adb_server_failed, "down"};
  const auto refused = decide({{tcp("10.0.0.2:5555", "device")}}, {.serial = "Z"}, down);
  const auto details = json::parse(std::get<Refuse>(refused).why.members())["details"];
  CHECK(details["connected"] == json::array({"10.0.0.2:5555"}));
  CHECK(details["sources"] ==
        json::parse(R"([{"source":"server","problem":"down"},{"source":"usb","devices":[]},
                        {"source":"tcp","devices":["10.0.0.2:5555"]}])"));
}

TEST_CASE("choice: an address without a port is the one with adb's", "[unit][B14]") {
  const Question question{.serial = "10.0.0.2"};
  CHECK(question.matches(tcp("10.0.0.2:5555", "device")));
  CHECK_FALSE(question.matches(tcp("10.0.0.2:5556", "device")));
}

TEST_CASE("choice: the problem of the only matching one is reported", "[unit]") {
  const auto message = [](const std::vector<Candidate>& found) {
    return std::get<Refuse>(decide(found, {})).why.message();
  };
  const Candidate one = with(tcp("10.0.0.2:5555", "offline"), errc::io);
  CHECK(message({one}) == "No connected devices: why");
  CHECK(message({one, one}) == "No connected devices");
}

TEST_CASE("choice: who asks in other words is refused in them", "[unit]") {
  static constexpr Dialect kOther{
      .matches = [](const Question&, const DeviceRow& row) { return row.serial == "B"; },
      .worded = [](const Question&, const DeviceRow* meant,
                   Error error) { return Error(error.code(), meant ? meant->serial : "none"); }};
  const Question question{.dialect = &kOther};
  const Candidate a{usb("A", "device", "usb:1-1")};
  const Candidate b{usb("B", "recovery", "usb:1-2")};
  CHECK(std::get<Refuse>(decide({a}, question)).why.message() == "none");
  CHECK(std::get<Refuse>(decide({a, b}, question)).why.message() == "B");
  const auto several = check_one_phone({{a.row}, {b.row}}, question);
  REQUIRE_FALSE(several);
  CHECK(several.error().message() == "A");
}

TEST_CASE("choice: -t, -d and -e go before ANDROID_SERIAL, --device before all", "[unit]") {
  ::setenv("ANDROID_SERIAL", "env", 1);
  TargetOptions options;
  CHECK(question_of(options).serial == "env");
  options.transport_id = 3;
  CHECK(question_of(options).serial == std::nullopt);
  options = {};
  options.reachable = Reachable::usb;
  CHECK(question_of(options).serial == std::nullopt);
  options = {};
  options.device = "named";
  CHECK(question_of(options).serial == "named");
  options = {};
  options.honour_android_serial = false;
  CHECK(question_of(options).serial == std::nullopt);
  ::unsetenv("ANDROID_SERIAL");
}

TEST_CASE("choice: one stays on the device that was reached, by the name that it was given") {
  ::unsetenv("ANDROID_SERIAL");
  TargetOptions open;
  stay_on(&open, "phone");
  CHECK(open.device == "phone");
  CHECK_FALSE(open.honour_android_serial);

  TargetOptions twin;
  twin.device = "usb:1-2";
  stay_on(&twin, "phone");
  CHECK(twin.device == "usb:1-2");

  TargetOptions numbered;
  numbered.transport_id = 3;
  stay_on(&numbered, "phone");
  CHECK_FALSE(numbered.device);

  ::setenv("ANDROID_SERIAL", "usb:1-2", 1);
  TargetOptions by_environment;
  stay_on(&by_environment, "phone");
  CHECK(question_of(by_environment).serial == "usb:1-2");
  ::unsetenv("ANDROID_SERIAL");
}
