#include "cli/pretty/pretty_printer.hpp"
#include "base/json_document.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/ui/errc.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace clawperator::cli;
using namespace adbproto;

TEST_CASE("people: JSON is indented by two and keeps its order; other text stays") {
  CHECK(indent_json(R"({"b":1,"a":[true]})") == "{\n  \"b\": 1,\n  \"a\": [\n    true\n  ]\n}");
  CHECK(indent_json("{oops") == "{oops");
}

TEST_CASE("people: an error always shows its code") {
  CHECK(error_for_people({errc::no_devices, "No connected devices"}) ==
        "NO_DEVICES: No connected devices\n");
  CHECK(error_for_people({errc::stale_ref, "gone", R"({"hint":"look again"})"}) ==
        "STALE_REF: gone\nhint: look again\n");
  CHECK(error_for_people({errc::unknown, "x", R"({"details":{"a":1}})"}) ==
        "UNKNOWN: x\n{\n  \"details\": {\n    \"a\": 1\n  }\n}\n");
}

TEST_CASE("people: devices stand in columns") {
  std::vector<DeviceRow> rows(2);
  rows[0].serial = "A";
  rows[0].state = State::device;
  rows[0].transport = Transport::server;
  rows[1].serial = "127.0.0.1:5555";
  rows[1].state = State::offline;
  CHECK(devices_for_people(rows) ==
        "SERIAL          STATE    TRANSPORT  MODEL  PRODUCT\n"
        "A               device   server\n"
        "127.0.0.1:5555  offline\n");
  CHECK(devices_for_people({}) == "no devices\n");
}

TEST_CASE("people: why a phone cannot be used, and where an announced one is, stand below") {
  std::vector<DeviceRow> rows(2);
  rows[0].serial = "A";
  rows[0].state = State::busy;
  rows[0].transport = Transport::usb;
  rows[0].obstacle = "held by adb (pid 7)";
  rows[1].serial = "adb-B-x";
  rows[1].state = State::announced;
  rows[1].transport = Transport::mdns;
  rows[1].service = adbproto::AdbService::tls_pairing;
  rows[1].address = "10.0.0.2:37123";
  CHECK(devices_for_people(rows) ==
        "SERIAL   STATE      TRANSPORT  MODEL  PRODUCT\n"
        "A        busy       usb\n"
        "adb-B-x  announced  mdns\n"
        "A: held by adb (pid 7)\n"
        "adb-B-x: pairing at 10.0.0.2:37123\n");
}

TEST_CASE("people: an envelope shows status, faults and every step") {
  Envelope envelope;
  envelope.status = EnvelopeStatus::failed;
  envelope.error = "Step b (click) failed";
  envelope.error_code = "SERVICE_UNAVAILABLE";
  envelope.hint = "run doctor";
  envelope.step_results = {{"a", "snapshot_ui", true, {{"text", "one\ntwo"}}},
                           {"click", "click", false, {{"error", "X"}}}};
  CHECK(envelope_for_people(envelope, "S1") ==
        "failed  S1\n"
        "error: Step b (click) failed\n"
        "code: SERVICE_UNAVAILABLE\n"
        "hint: run doctor\n"
        "  ok      a (snapshot_ui)\n"
        "one\ntwo\n"
        "  FAILED  click  error=X\n");
}

TEST_CASE("people: a node that was acted on is shown by its label and its id, once") {
  const std::string node =
      R"({"nodePath":"0.1","resourceId":"com.x:id/title","label":"Wi\"Fi","clickable":false})";
  const auto shown = [](std::map<std::string, std::string> data) {
    Envelope envelope;
    envelope.status = EnvelopeStatus::success;
    StepResult step{"click", "click", true, {}};
    for (auto& [key, value] : data) step.data.emplace_back(key, value);
    envelope.step_results = {step};
    return envelope_for_people(envelope, "S1");
  };
  CHECK(shown({{"target", node}}) == "success  S1\n  ok      click  target=\"Wi\\\"Fi\" #title\n");
  CHECK(shown({{"target", "{oops"}}) == "success  S1\n  ok      click  target={oops\n");
  CHECK(shown({{"target", "{}"}}) == "success  S1\n  ok      click  target=a node\n");
  CHECK(shown({{"target", R"({"label":"","contentDescription":"Up"})"}}) ==
        "success  S1\n  ok      click  target=\"Up\"\n");
}

TEST_CASE("people: foreign text cannot move the cursor") {
  CHECK(printable("a\x1b[2Jb\r\n\tc\x7f") == "a?[2Jb?\n\tc?");
  CHECK(printable_name("a\x1b[2Jb\r\n\tc\x7f") == "a?[2Jb???c?");
  CHECK(printable("\xc3\xbc") == "\xc3\xbc");
  CHECK(printable("a\u009b2Jb\u202ec\xff") == "a?2Jb?c?");
  CHECK(printable_name("a\u009b2Jb\u2028c\x9b") == "a?2Jb?c?");
}
