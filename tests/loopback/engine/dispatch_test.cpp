// What errors and the log report about a dispatch, and which requests are repeated.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "adbproto/wire/screencap.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/image/picture.hpp"
#include "runtime/log/event_log.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

constexpr std::string_view kSnapshot = R"({"id":"s1","type":"snapshot_ui"})";
constexpr std::string_view kSnapshots =
    R"({"id":"s1","type":"snapshot_ui"},{"id":"s2","type":"snapshot_ui"})";

// The answer to the broadcast's service never comes.
class SilentDevice final : public adbproto::Device {
 public:
  explicit SilentDevice(std::unique_ptr<adbproto::Device> device) : device_(std::move(device)) {}
  Task<adbproto::ByteStreamPtr> open(std::string service) override {
    if (service.find("broadcast") != service.npos) co_await sleep_for(1h);
    co_return co_await device_->open(std::move(service));
  }
  [[nodiscard]] const std::string& serial() const override { return device_->serial(); }
  [[nodiscard]] const adbproto::FeatureSet& features() const override {
    return device_->features();
  }
  [[nodiscard]] std::string_view route() const override { return device_->route(); }
  [[nodiscard]] std::size_t max_service_size() const override {
    return device_->max_service_size();
  }

 private:
  std::unique_ptr<adbproto::Device> device_;
};

ResolveDevice silent(FakePhone& phone) {
  return [&phone](TargetOptions) -> Task<std::unique_ptr<adbproto::Device>> {
    std::unique_ptr<adbproto::Device> device = std::make_unique<SilentDevice>(phone.make_device());
    co_return device;
  };
}

json members(const Result<ExecuteResult>& result) {
  REQUIRE_FALSE(result);
  return json::parse(result.error().members());
}

std::string tree(std::string_view text) {
  return "<hierarchy rotation=\"0\">\n  <node index=\"0\" text=\"" + std::string(text) +
         "\" bounds=\"[0,0][1,1]\" />\n</hierarchy>";
}
std::string drawn(std::string_view text) { return "[TaskScope] UI Hierarchy:\n" + tree(text); }

// Executions whose log is a file.
struct Logged {
  explicit Logged(EngineBench& bench, LogLevel level = LogLevel::debug)
      : folder(bench.home.file("logs")),
        log({.folder = folder, .level = level}),
        resolve(bench.phone.resolve()) {}

  Task<ExecuteResult> execute(ExecuteRequest request) {
    return clawperator::execute(std::move(request), &log, resolve);
  }

  [[nodiscard]] std::vector<json> events() const {
    std::vector<json> all;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      std::ifstream in(file.path());
      for (std::string line; std::getline(in, line);) all.push_back(json::parse(line));
    }
    return all;
  }
  [[nodiscard]] std::vector<std::string> names(std::string_view but = "debug") const {
    std::vector<std::string> names;
    for (const json& event : events()) {
      if (event["level"] != but) names.push_back(event["event"]);
    }
    return names;
  }

  std::string folder;
  EventLog log;
  ResolveDevice resolve;
};

}  // namespace

TEST_CASE("dispatch: without an answer from the device no error claims sent or not sent",
          "[loopback][F9]") {
  EngineBench at;
  const auto result =
      at.time.run(at.loop, execute(EngineBench::request(kClick), nullptr, silent(at.phone)), 20ms);
  CHECK(members(result)["broadcastDispatchStatus"] == "unknown");
  CHECK(members(result)["details"]["dispatchAttempted"] == true);
}

TEST_CASE("dispatch: a line of our command proves that it was sent", "[loopback][F9]") {
  EngineBench at;
  at.phone.log("[Clawperator-Command] start commandId=c-1 taskId=t-1");
  const auto result =
      at.time.run(at.loop, execute(EngineBench::request(kClick), nullptr, silent(at.phone)), 20ms);
  CHECK(members(result)["broadcastDispatchStatus"] == "sent");
}

TEST_CASE("dispatch: a log that ends meanwhile does not decide whether it was sent",
          "[loopback][F9]") {
  const bool at_once = GENERATE(true, false);
  EngineBench at;
  if (at_once) at.phone.exit_logcat("logcat: no such log", 1);
  if (!at_once) at.phone.on_broadcast = [&](auto&) { at.phone.exit_logcat("logcat: killed", 1); };
  const auto result = at.run(kClick);
  CHECK(members(result)["broadcastDispatchStatus"] == "sent");
  CHECK(members(result)["details"]["dispatchAttempted"] == true);
}

TEST_CASE("dispatch: a phone that claims to have held back a command without a ref is not believed",
          "[loopback]") {
  EngineBench at;
  at.phone.after_broadcast = prints(std::string(kHeldBack) + "\n");
  const auto result = at.run(kClick);
  CHECK(members(result)["broadcastDispatchStatus"] == "sent");
  CHECK(members(result)["details"]["dispatchAttempted"] == true);
  CHECK(at.phone.commands().size() == 2);  // one preflight, one broadcast
}

TEST_CASE("dispatch: a broken result says why, and keeps it beside the dispatch",
          "[loopback][F8]") {
  EngineBench at;
  at.answers(R"([Clawperator-Result] {"commandId":"c-1","taskId":7})");
  const json more = members(at.run(kClick));
  CHECK(more["details"]["reason"] == "taskId is not a string");
  CHECK(more["details"]["dispatchAttempted"] == true);
  CHECK(more["broadcastDispatchStatus"] == "sent");
}

TEST_CASE("dispatch: it is logged however early the result comes", "[loopback][F11]") {
  EngineBench at;
  Logged logged(at);
  at.answers(result_line(step("a1", "click")));
  at.phone.after_broadcast = hangs();
  const auto result = at.time.run(at.loop, logged.execute(EngineBench::request(kClick)));
  REQUIRE(result);
  CHECK(logged.names() == std::vector<std::string>{"preflight.apk.pass", "broadcast.dispatched",
                                                   "envelope.received", "execution.finished"});
}

TEST_CASE("dispatch: every failure closes with its event and its timings", "[loopback][F11]") {
  struct Row {
    const char* name;
    std::function<void(FakePhone&)> set_up;
    const char* code;
    std::vector<std::string> events;
  };
  const auto row = GENERATE(values<Row>({
      {"timeout",
       [](FakePhone&) {},
       "RESULT_ENVELOPE_TIMEOUT",
       {"preflight.apk.pass", "broadcast.dispatched", "timeout.fired", "execution.failed"}},
      {"no Operator",
       [](FakePhone& phone) { phone.packages = ""; },
       "OPERATOR_NOT_INSTALLED",
       {"preflight.apk.missing", "execution.failed"}},
      {"no log",
       [](FakePhone& phone) { phone.log_header = "sh: no\n"; },
       "LOGCAT_UNAVAILABLE",
       {"preflight.apk.pass", "execution.failed"}},
      {"broadcast refused",
       [](FakePhone& phone) { phone.after_broadcast = prints("", "Error: no", 1); },
       "BROADCAST_FAILED",
       {"preflight.apk.pass", "execution.failed"}},
  }));
  INFO(row.name);
  EngineBench at;
  Logged logged(at, LogLevel::info);
  row.set_up(at.phone);
  auto request = EngineBench::request(kClick);
  request.timings = true;
  const auto result = at.time.run(at.loop, logged.execute(std::move(request)), 20ms);
  REQUIRE_FALSE(result);
  CHECK(logged.names() == row.events);
  const json last = logged.events().back();
  CHECK(last["level"] == "error");
  CHECK(last["code"] == row.code);
  CHECK(last["timings"].contains("total"));
  CHECK(members(result)["timings"].contains("dispatch"));
}

TEST_CASE(
    "dispatch: without the request for them an error has no timings, with a log it has "
    "its path",
    "[loopback][F12]") {
  EngineBench at;
  Logged logged(at, LogLevel::info);
  const auto result = at.time.run(at.loop, logged.execute(EngineBench::request(kClick)), 20ms);
  const json more = members(result);
  CHECK_FALSE(more.contains("timings"));
  const std::string path = more["details"]["logPath"];
  CHECK(std::filesystem::is_regular_file(path));
  CHECK(path.starts_with(logged.folder + "/clawperator-"));
}

TEST_CASE("dispatch: device commands are debug events, without the payload", "[loopback][F11]") {
  EngineBench at(GENERATE(adbproto::FeatureSet{"shell_v2", "cmd"},
                          adbproto::FeatureSet{"shell_v2", "cmd", "abb"}));
  Logged logged(at);
  at.answers(result_line(step("a1", "enter_text")));
  const auto result = at.time.run(
      at.loop, logged.execute(EngineBench::request(
                   R"({"id":"a1","type":"enter_text","params":{"matcher":{"textEquals":"x"},)"
                   R"("text":"s3cr3t"}})")));
  REQUIRE(result);
  std::size_t commands = 0, completed = 0, redacted = 0;
  for (const json& event : logged.events()) {
    CHECK(event.dump().find("s3cr3t") == std::string::npos);
    if (event["event"] == "adb.command") ++commands;
    if (event["event"] == "adb.complete") ++completed;
    const std::string message = event["message"];
    if (message.find("[REDACTED]") != message.npos) ++redacted;
  }
  CHECK(commands >= 3);  // the log, the preflight, the broadcast
  CHECK(completed == commands);
  CHECK(redacted == 2);
}

TEST_CASE("snapshot: one that the log tore is taken once more", "[loopback][R7]") {
  EngineBench at;
  int asked = 0;
  const bool again = GENERATE(true, false);  // the second one is torn as well
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log("[Clawperator-Command] start commandId=c-1 taskId=t-1");
    const bool torn = ++asked == 1 || again;
    at.phone.log(torn ? "[TaskScope] UI Hierarchy:\n<hierarchy rotation=\"0\">\n" : drawn("ours"));
    at.phone.log(result_line(step("s1", "snapshot_ui")));
  };
  const auto result = at.run(kSnapshot);
  REQUIRE(result);
  CHECK(asked == 2);
  const StepResult& seen = result->envelope.step_results.at(0);
  CHECK(seen.success == !again);
  if (!again) CHECK(*find_data(seen.data, "text") == tree("ours"));
  if (again) CHECK_THAT(*find_data(seen.data, "message"), Catch::Contains("lost lines"));
}

TEST_CASE("snapshot: what does more than look is never repeated", "[loopback][R7]") {
  EngineBench at;
  int asked = 0;
  at.phone.on_broadcast = [&](const std::string&) {
    ++asked;
    at.phone.log(kBegun);
    at.phone.log("[TaskScope] UI Hierarchy:\n<hierarchy rotation=\"0\">\n");
    at.phone.log(result_line(step("a1", "click") + "," + step("s1", "snapshot_ui")));
  };
  const auto result = at.run(std::string(kClick) + "," + std::string(kSnapshot));
  REQUIRE(result);
  CHECK(asked == 1);
  CHECK(result->envelope.status == EnvelopeStatus::failed);
}

TEST_CASE("snapshot: another app and the next command in the same read change nothing",
          "[loopback][F2][F3]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log("[Clawperator-Command] start commandId=c-1 taskId=t-1");
    at.phone.log(drawn("one"));
    at.phone.log(drawn("of another app"), 9999);
    at.phone.log(drawn("two"));
    at.phone.log(drawn("of another app"), 9999);
    at.phone.log(result_line(step("s1", "snapshot_ui") + "," + step("s2", "snapshot_ui")));
    at.phone.log("[Clawperator-Command] start commandId=c-10 taskId=t-1");
    at.phone.log(drawn("of the next command"));
  };
  const auto result = at.run(kSnapshots);
  REQUIRE(result);
  CHECK(*find_data(result->envelope.step_results.at(0).data, "text") == tree("one"));
  CHECK(*find_data(result->envelope.step_results.at(1).data, "text") == tree("two"));
}

TEST_CASE("screenshot: a link that is lost meanwhile is said to be lost", "[loopback][F69]") {
  EngineBench at;
  at.answers(result_line(step("p1", "take_screenshot")));
  at.phone.screencap = says("");  // ends without a status
  const auto result = at.run(R"({"id":"p1","type":"take_screenshot"})");
  REQUIRE(result);
  CHECK(*find_data(result->envelope.step_results.at(0).data, "error") == "LINK_LOST");
}

namespace {

// A grey frame of 60 by 60, as screencap prints it.
std::string grey_frame() {
  constexpr std::string_view kHeader("<\0\0\0<\0\0\0\1\0\0\0\0\0\0\0", 16);  // '<' is 60
  return std::string(kHeader) + std::string(std::size_t{60} * 60 * 4, '\x7f');
}

}  // namespace

TEST_CASE(
    "screenshot: marks are those of the snapshot in the same plan, which the log may tear once",
    "[loopback][R7]") {
  EngineBench at;
  int asked = 0;
  const bool again = GENERATE(true, false);  // the second one is torn as well
  const std::string whole =
      R"(<hierarchy rotation="0"><node index="0" text="a" bounds="[5,5][55,55]" /></hierarchy>)";
  at.phone.on_broadcast = [&](const std::string&) {
    const bool torn = ++asked == 1 || again;
    at.phone.log(kBegun);
    at.phone.log("[TaskScope] UI Hierarchy:\n" + (torn ? "<hierarchy rotation=\"0\">\n" : whole));
    at.phone.log(result_line(step("s1", "snapshot_ui") + "," + step("p1", "take_screenshot")));
  };
  const std::string frame = grey_frame();
  at.phone.screencap = prints(frame);
  auto request =
      EngineBench::request(std::string(kSnapshot) + R"(,{"id":"p1","type":"take_screenshot"})");
  request.screenshot.to_memory = true;
  request.screenshot.marks = Marked::all;
  const auto result = at.run(std::move(request));
  REQUIRE(result);
  CHECK(asked == 2);
  const StepResult& shot = result->envelope.step_results.at(1);
  CHECK(shot.success == !again);
  if (again) {
    CHECK(result->picture.empty());
    CHECK(*find_data(shot.data, "message") == "the plan has no snapshot with the nodes to mark");
  } else {
    const auto grey = *adbproto::decode_screencap(as_bytes(frame));
    CHECK((result->picture == *encode_picture(grey, {.marks = {{1, 5, 5, 55, 55}}})));
  }
}
