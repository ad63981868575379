#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>

#include "runtime/device/lock.hpp"
#include "runtime/engine/errc.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"
#include "support/result_records.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

constexpr std::string_view kTree =
    "<?xml version='1.0' ?>\n<hierarchy rotation=\"0\">\n"
    "  <node index=\"0\" text=\"Wi-Fi\" bounds=\"[0,0][10,10]\" />\n"
    "</hierarchy>";

constexpr std::string_view kSnapshotAction = R"({"id":"s1","type":"snapshot_ui"})";

const std::string* data(const Result<ExecuteResult>& result, std::size_t at, const char* key) {
  return find_data(result->envelope.step_results.at(at).data, key);
}

}  // namespace

TEST_CASE("engine: a click is dispatched once and its envelope comes back", "[loopback]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::success);
  CHECK(result->envelope.command_id == "c-1");
  CHECK(result->device_id == "phone-1");
  CHECK(result->execution_id.size() == 26);
  CHECK(at.warnings.empty());
  REQUIRE(at.phone.commands().size() == 2);
  CHECK(at.phone.commands()[0] == FakePhone::Words{"package", "list", "packages",
                                                   "--show-versioncode", "--user", "0",
                                                   "perator.operator"});
  CHECK(at.phone.commands()[1] ==
        FakePhone::Words{"activity", "broadcast", "-a",
                         "app.clawperator.operator.ACTION_AGENT_COMMAND", "-p",
                         "com.clawperator.operator", "--es", "payload",
                         to_json(EngineBench::request(kClick).execution), "--receiver-foreground",
                         "--include-stopped-packages"});
}

TEST_CASE("engine: a payload with quotes arrives as it was", "[loopback]") {
  EngineBench at(GENERATE(adbproto::FeatureSet{"shell_v2", "cmd"},
                          adbproto::FeatureSet{"shell_v2", "cmd", "abb"}));
  const std::string actions =
      R"({"id":"a1","type":"enter_text","params":{"matcher":{"textEquals":"it's"},"text":"a 'b' \"c\" $d `e`"}})";
  std::string got;
  at.phone.on_broadcast = [&](const std::string& payload) {
    got = payload;
    at.phone.log(result_line(step("a1", "enter_text")));
  };
  REQUIRE(at.run(actions));
  CHECK(got == to_json(EngineBench::request(actions).execution));
}

TEST_CASE("engine: a payload longer than a service name goes by the shell's input", "[loopback]") {
  EngineBench at;
  std::string script;
  at.phone.prepare = [&](FakeDevice& device) {
    device.set_max_service_size(600);
    device.serve("shell,v2,raw:sh", reads(&script, shell_output("done"), [&] {
                   at.phone.log(result_line(step("a1", "enter_text")));
                 }));
  };
  const std::string actions =
      R"({"id":"a1","type":"enter_text","params":{"matcher":{"textEquals":"x"},"text":")" +
      std::string(500, 't') + "\"}}";
  REQUIRE(at.run(actions));
  CHECK_THAT(script, Catch::StartsWith("cmd activity 'broadcast'"));
  CHECK_THAT(script, Catch::Contains(std::string(500, 't')));
}

TEST_CASE("engine: a snapshot's hierarchy is read from the log", "[loopback]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(kBegun);
    at.phone.log("[TaskScope] UI Hierarchy:\n" + std::string(kTree));
    at.phone.log(result_line(step("s1", "snapshot_ui")));
  };
  const auto result = at.run(kSnapshotAction);
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::success);
  REQUIRE(data(result, 0, "text"));
  CHECK(*data(result, 0, "text") == kTree);
}

TEST_CASE("engine: a snapshot whose hierarchy never comes fails its step, at once", "[loopback]") {
  EngineBench at;
  at.answers(result_line(step("s1", "snapshot_ui")));
  const auto result = at.run(kSnapshotAction);
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::failed);
  CHECK(result->envelope.error == "Step s1 (snapshot_ui) failed: SNAPSHOT_EXTRACTION_FAILED");
  CHECK(at.warnings.size() == 1);
  CHECK(at.time.elapsed() < 100ms);
}

TEST_CASE("engine: a snapshot in the envelope, whole or in records, needs no log",
          "[loopback][today]") {
  const std::size_t padding = GENERATE(0u, 5000u);
  const std::string tree(kTree);
  const std::string text = tree + std::string(padding, ' ');
  const std::string line =
      result_line(step("s1", "snapshot_ui", true, JsonObject().text("text", text).str()));
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(kBegun);
    for (const std::string& entry : result_lines(line, "c-1", "t-1")) at.phone.log(entry);
  };
  const auto result = at.run(kSnapshotAction);
  REQUIRE(result);
  CHECK(result->attempts == 1);
  REQUIRE(data(result, 0, "text"));
  CHECK((*data(result, 0, "text") == text));
  CHECK(at.time.elapsed() < 100ms);
}

TEST_CASE("engine: a log that ends behind the envelope changes nothing", "[loopback]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(kBegun);
    at.phone.log("[TaskScope] UI Hierarchy:\n" + std::string(kTree));
    at.phone.log(result_line(step("s1", "snapshot_ui")));
    at.phone.cut_log();
  };
  const auto result = at.run(kSnapshotAction);
  REQUIRE(result);
  CHECK(*data(result, 0, "text") == kTree);
}

TEST_CASE("engine: a broadcast that fails behind the envelope changes nothing", "[loopback]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  at.phone.after_broadcast = [](adbproto::ByteStreamPtr stream, std::string) -> Task<void> {
    co_await sleep_for(50ms);
    co_return co_await write_text(std::move(stream), shell_output("", "Error: too late", 1));
  };
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::success);
}

TEST_CASE("engine: entries from before the instant and of other commands are not ours",
          "[loopback]") {
  EngineBench at;
  adbproto::LogRecord old;
  old.pid = 1;
  old.sec = FakePhone::kNow - 1;
  old.priority = 'D';
  old.tag = "E";
  const std::string stale = result_line(step("a1", "stale"));
  old.message = stale;
  at.phone.log_record(old);
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(R"([Clawperator-Result] {"commandId":"c-2","taskId":"t"})");
    at.phone.log(result_line(step("a1", "click")));
  };
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(result->envelope.step_results.at(0).action_type == "click");
}

TEST_CASE("engine: a clock that is set back while a command runs hides nothing",
          "[loopback][F6][R11]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    adbproto::LogRecord late;
    late.pid = 4711;
    late.sec = FakePhone::kNow - 5;
    late.priority = 'I';
    late.tag = "E";
    const std::string message = result_line(step("a1", "click"));
    late.message = message;
    at.phone.log_record(late);
  };
  REQUIRE(at.run(kClick));
}

TEST_CASE("engine: Android 13's log is read as text, entry by entry", "[loopback][W3]") {
  EngineBench at;
  at.phone.log_header = "boot-1|SERIAL1|33|1700000000.000000000\n";
  const std::string prefix = "         1700000001.000002  4711  4712 D E       : ";
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log_line("--------- beginning of main");
    at.phone.log_line("         1700000001.000001   812   812 I other   : [Clawperator-Result] {");
    at.phone.log_line(prefix + std::string(kBegun));
    at.phone.log_line(prefix + "[TaskScope] UI Hierarchy:");
    std::string_view tree = kTree;
    while (!tree.empty()) {
      const auto end = std::min(tree.find('\n'), tree.size());
      at.phone.log_line(prefix + std::string(tree.substr(0, end)));
      tree.remove_prefix(std::min(end + 1, tree.size()));
    }
    at.phone.log_line(prefix + result_line(step("s1", "snapshot_ui")));
  };
  const auto result = at.run(kSnapshotAction);
  REQUIRE(result);
  REQUIRE(data(result, 0, "text"));
  CHECK(*data(result, 0, "text") == kTree);
}

TEST_CASE("engine: where only the other variant is, there is no wait", "[loopback][F46]") {
  EngineBench at;
  at.phone.packages = "package:com.clawperator.operator.dev\n";
  const auto result = at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::operator_variant_mismatch);
  CHECK_THAT(result.error().members(),
             Catch::Contains("--operator-package com.clawperator.operator.dev"));
  REQUIRE(at.warnings.size() == 1);
  CHECK_THAT(at.warnings[0], Catch::Contains("Expected com.clawperator.operator but found "
                                             "com.clawperator.operator.dev"));
}

TEST_CASE("engine: apps are stopped before the broadcast and their steps succeed", "[loopback]") {
  EngineBench at;
  at.answers(result_line(step("a1", "close_app", false,
                              R"({"error":"UNSUPPORTED_RUNTIME_CLOSE","application_id":"x"})")));
  const auto result =
      at.run(R"({"id":"a1","type":"close_app","params":{"applicationId":"com.android.settings"}})");
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::success);
  CHECK(result->envelope.step_results[0].data ==
        StepData{{"application_id", "com.android.settings"}});
  REQUIRE(at.phone.commands().size() == 3);
  CHECK(at.phone.commands()[1] ==
        FakePhone::Words{"activity", "force-stop", "com.android.settings"});
  CHECK(at.phone.commands()[2][1] == "broadcast");
}

TEST_CASE("engine: every screenshot step gets its file from one capture", "[loopback]") {
  EngineBench at;
  const std::string steps =
      step("p1", "take_screenshot", false, R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})") + "," +
      step("p2", "take_screenshot", false, R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})");
  at.answers(result_line(steps));
  at.phone.screencap = prints(tiny_png());
  const std::string first = at.home.file("one.png");
  const auto result = at.run(R"({"id":"p1","type":"take_screenshot","params":{"path":")" + first +
                             R"("}},{"id":"p2","type":"take_screenshot"})");
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::success);
  CHECK(*data(result, 0, "path") == first);
  CHECK_FALSE(data(result, 0, "error"));
  CHECK((file_text(first) == tiny_png()));
  REQUIRE(data(result, 1, "path"));
  CHECK_THAT(*data(result, 1, "path"), Catch::Contains("clawperator-screenshot-c-1-"));
  CHECK((file_text(*data(result, 1, "path")) == tiny_png()));
}

TEST_CASE("engine: a capture that is not a whole picture fails its step", "[loopback]") {
  struct Row {
    const char* name;
    FakeService screencap;
  };
  std::string flipped = tiny_png();
  flipped[45] ^= 1;
  const auto row = GENERATE_COPY(values<Row>({
      {"truncated", prints(tiny_png().substr(0, 60))},
      {"without its end", prints(tiny_png().substr(0, tiny_png().size() - 12))},
      {"a bit flipped", prints(flipped)},
      {"empty", prints("")},
      {"an error text", prints("screencap: no display\n")},
      {"failing", prints("", "no display", 1)},
      {"whole but failing", prints(tiny_png(), "late trouble", 1)},
      {"hanging", hangs()},
  }));
  INFO(row.name);
  EngineBench at;
  at.answers(result_line(
      step("p1", "take_screenshot", false, R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})")));
  at.phone.screencap = row.screencap;
  const std::string path = at.home.file("one.png");
  const auto result =
      at.run(R"({"id":"p1","type":"take_screenshot","params":{"path":")" + path + "\"}}");
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::failed);
  CHECK(*data(result, 0, "error") == "SCREENSHOT_CAPTURE_FAILED");
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(at.warnings.size() == 1);
}

TEST_CASE("engine: a picture for memory is not written anywhere", "[loopback]") {
  EngineBench at;
  at.answers(result_line(
      step("p1", "take_screenshot", false, R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})")));
  at.phone.screencap = prints(tiny_png());
  auto request = EngineBench::request(R"({"id":"p1","type":"take_screenshot"})");
  request.screenshot.to_memory = true;
  const auto result = at.run(std::move(request));
  REQUIRE(result);
  CHECK((as_text(result->picture) == tiny_png()));
}

TEST_CASE("engine: a picture that cannot be written fails its step", "[loopback]") {
  EngineBench at;
  at.answers(result_line(step("p1", "take_screenshot")));
  at.phone.screencap = prints(tiny_png());
  const auto result =
      at.run(R"({"id":"p1","type":"take_screenshot","params":{"path":"/nowhere/at/all.png"}})");
  REQUIRE(result);
  CHECK(*data(result, 0, "error") == "SCREENSHOT_CAPTURE_FAILED");
}

TEST_CASE("engine: events of our command are passed on while it runs", "[loopback]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log(R"([Clawperator-Event] {"commandId":"c-1","n":1})");
    at.phone.log(R"([Clawperator-Event] {"commandId":"c-2","n":2})");
    at.phone.log(result_line(step("a1", "click")));
  };
  std::vector<std::string> events;
  auto request = EngineBench::request(kClick);
  request.on_event = [&](std::string_view text) { events.emplace_back(text); };
  const auto result = at.run(std::move(request));
  REQUIRE(result);
  CHECK(events == std::vector<std::string>{R"({"commandId":"c-1","n":1})"});
}

namespace {

constexpr std::string_view kServiceNotBound =
    R"([Clawperator-Result] {"commandId":"c-1","taskId":"t-1","status":"failed","stepResults":[],)"
    R"("error":"Accessibility service is not available","errorCode":"SERVICE_UNAVAILABLE"})";
constexpr std::string_view kListed =
    "com.other/com.other.Service:com.clawperator.operator/"
    "clawperator.operator.accessibilityservice.OperatorAccessibilityService\n";

// Refuses the first command for want of its service, answers those behind it; counts them.
struct ReturningService {
  explicit ReturningService(EngineBench* bench, std::string_view list) {
    bench->phone.prepare = [list = std::string(list)](FakeDevice& device) {
      device.serve("shell,v2,raw:cmd settings ", prints(list));
    };
    bench->phone.on_broadcast = [this, bench](const std::string&) {
      const bool first = ++*dispatched == 1;
      for (const std::string& line : before) bench->phone.log(line);
      bench->phone.log(first ? std::string(kServiceNotBound) : result_line(step("a1", "click")));
    };
  }
  std::vector<std::string> before;
  std::shared_ptr<int> dispatched = std::make_shared<int>(0);
};

}  // namespace

TEST_CASE("engine: a service that is just being bound again is waited for once", "[loopback][R5]") {
  EngineBench at;
  ReturningService app(&at, kListed);
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(*app.dispatched == 2);
  CHECK(result->envelope.status == EnvelopeStatus::success);
}

TEST_CASE("engine: a refusal that is written twice is not taken for the second answer",
          "[loopback][R5]") {
  EngineBench at;
  ReturningService app(&at, kListed);
  at.phone.prepare = [&, listed = at.phone.prepare](FakeDevice& device) {
    listed(device);
    // Comes while the setting is queried: long after the first was read.
    device.serve("shell,v2,raw:cmd settings ",
                 [&](adbproto::ByteStreamPtr stream, const std::string& service) {
                   at.phone.log(kServiceNotBound);
                   return prints(kListed)(std::move(stream), service);
                 });
  };
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(*app.dispatched == 2);
  CHECK(result->envelope.status == EnvelopeStatus::success);
}

TEST_CASE("engine: a service that does not come back is reported as one that is switched on",
          "[loopback][R5]") {
  EngineBench at;
  ReturningService app(&at, kListed);
  at.phone.on_broadcast = [&](const std::string&) {
    ++*app.dispatched;
    at.phone.log(kServiceNotBound);
  };
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(*app.dispatched == 2);
  CHECK(result->envelope.error_code == "SERVICE_UNAVAILABLE");
  CHECK_THAT(result->envelope.hint.value_or(""), Catch::Contains("is switched on"));
}

TEST_CASE("engine: a permission that the system took back is said, and nothing is sent again",
          "[loopback][R2]") {
  EngineBench at;
  ReturningService app(&at, "com.other/com.other.Service\n");
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(*app.dispatched == 1);
  CHECK_THAT(result->envelope.hint.value_or(""),
             Catch::StartsWith("The system took the accessibility permission back"));
}

TEST_CASE("engine: a plan that had begun is not sent again for want of the service",
          "[loopback][R5]") {
  EngineBench at;
  ReturningService app(&at, kListed);
  app.before = {"[Clawperator-Command] start commandId=c-1 taskId=t-1"};
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(*app.dispatched == 1);
}

TEST_CASE("engine: the rung that worked is remembered for this boot", "[loopback]") {
  EngineBench at({"shell_v2", "cmd", "abb"});
  at.answers(result_line(step("a1", "click")));
  at.phone.prepare = [](FakeDevice& device) {
    device.fails("abb:", Error(errc::refused, "closed"));
  };
  REQUIRE(at.run(kClick));
  std::shared_ptr<const std::vector<std::string>> opened;
  at.phone.prepare = [&](FakeDevice& device) {
    device.fails("abb:", Error(errc::refused, "closed"));
    opened = device.opened();
  };
  REQUIRE(at.run(kClick));
  for (const std::string& service : *opened) CHECK_FALSE(service.starts_with("abb:"));
}

TEST_CASE("engine: what was remembered of an earlier boot is probed anew, after a picture, too",
          "[loopback]") {
  EngineBench at({"shell_v2", "cmd", "abb"});
  at.answers(result_line(step("a1", "click")));
  const auto before = at.run(kClick);
  REQUIRE(before);
  REQUIRE(recall_device(before->device_id).rungs.of(AndroidService::package));
  at.phone.log_header = "boot-2|SERIAL1|34|1700000000.000000000\n";
  at.answers(result_line(
      step("p1", "take_screenshot", false, R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT"})")));
  at.phone.screencap = prints(tiny_png());
  auto request = EngineBench::request(R"({"id":"p1","type":"take_screenshot"})");
  request.screenshot.to_memory = true;
  const auto after = at.run(std::move(request));
  REQUIRE(after);
  const DeviceMemory memory = recall_device(before->device_id);
  CHECK(memory.boot_id == "boot-2");
  CHECK_FALSE(memory.rungs.of(AndroidService::package));
}
