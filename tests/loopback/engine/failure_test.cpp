// Runs that end without a result: before the dispatch nothing was sent, after it the error says so.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/errc.hpp"
#include "support/engine_bench.hpp"
#include "support/log_records.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

json members_of(const Result<ExecuteResult>& result) {
  REQUIRE_FALSE(result);
  return json::parse(result.error().members());
}

}  // namespace
TEST_CASE("engine: no envelope is a timeout with all that is known", "[loopback][F12]") {
  EngineBench at;
  const auto begin = at.time.elapsed();
  const auto result = at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_envelope_timeout);
  CHECK(result.error().message() == "No [Clawperator-Result] envelope within 7000ms");
  CHECK(at.time.elapsed() - begin >= 7s);
  CHECK(at.time.elapsed() - begin < 8s);
  const json more = members_of(result);
  CHECK(more["broadcastDispatchStatus"] == "sent");
  CHECK(more["lastCorrelatedEvents"] == json::array());
  CHECK(more["deviceId"] == "phone-1");
  CHECK(more["operatorPackage"] == "com.clawperator.operator");
  CHECK_THAT(more["hint"].get<std::string>(), Catch::Contains("clawperator doctor"));
  const json& details = more["details"];
  CHECK(details["commandId"] == "c-1");
  CHECK(details["taskId"] == "t-1");
  CHECK(details["lastActionId"] == "a1");
  CHECK(details["lastActionType"] == "click");
  CHECK(details["timeoutMs"] == 2000);
  CHECK(details["waitLimitMs"] == 7000);
  CHECK(details["elapsedMs"].get<int>() >= 7000);
  CHECK(details["dispatchAttempted"] == true);
  CHECK(details["executionPosition"] == "unknown");
}

TEST_CASE("engine: with correlated lines a timeout gives no hint", "[loopback]") {
  EngineBench at;
  at.answers("[Clawperator-Command] start commandId=c-1 taskId=t-1");
  const json more = members_of(at.run(kClick));
  CHECK(more["lastCorrelatedEvents"] ==
        json::array({"[Clawperator-Command] start commandId=c-1 taskId=t-1"}));
  CHECK_FALSE(more.contains("hint"));
}

TEST_CASE("engine: a broadcast that hangs was sent all the same", "[loopback][F9]") {
  EngineBench at;
  at.phone.after_broadcast = hangs();
  const auto result = at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_envelope_timeout);
  const json more = members_of(result);
  CHECK(more["broadcastDispatchStatus"] == "sent");
  CHECK(more["details"]["dispatchAttempted"] == true);
}

TEST_CASE("engine: after a timeout others leave the device alone for two seconds", "[loopback]") {
  EngineBench at;
  REQUIRE_FALSE(at.run(kClick));
  const auto next = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2");
  REQUIRE_FALSE(next);
  CHECK(next.error().code() == errc::execution_conflict_in_flight);
}

TEST_CASE("engine: after an answer the device is free at once", "[loopback]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  REQUIRE(at.run(kClick));
  CHECK(DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2"));
}

TEST_CASE("engine: what ends a run after its dispatch says so", "[loopback]") {
  struct Row {
    const char* name;
    std::function<void(FakePhone&)> happens;
    FakeService after_broadcast;
    Errc code;
    const char* status;
  };
  const FakeService sent = prints("Broadcast completed: result=0\n");
  const auto row = GENERATE_COPY(values<Row>({
      {"malformed result of ours",
       [](FakePhone& phone) { phone.log(R"([Clawperator-Result] {"commandId":"c-1"})"); }, sent,
       errc::result_envelope_malformed, nullptr},
      {"logcat exits",
       [](FakePhone& phone) {
         phone.log("a line");
         phone.exit_logcat("logcat: killed", 137);
       },
       sent, errc::result_transport_exited, nullptr},
      {"link lost", [](FakePhone& phone) { phone.cut_log(); }, sent, errc::link_lost, nullptr},
      {"broadcast fails", [](FakePhone&) {}, prints("", "Error: no permission\n", 255),
       errc::broadcast_failed, "failed: Error: no permission"},
      {"broadcast fails on stdout", [](FakePhone&) {}, prints("Error: bad\n", "", 1),
       errc::broadcast_failed, "failed: Error: bad"},
  }));
  INFO(row.name);
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) { row.happens(at.phone); };
  at.phone.after_broadcast = row.after_broadcast;
  const auto result = at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == row.code);
  const json more = members_of(result);
  CHECK(more["details"]["dispatchAttempted"] == true);
  CHECK(more["details"]["executionPosition"] == "unknown");
  CHECK(more["deviceId"] == "phone-1");
  if (row.status) CHECK(more["broadcastDispatchStatus"] == row.status);
  CHECK(at.phone.commands().size() == 2);  // one preflight, one broadcast
}

TEST_CASE("engine: nothing is dispatched when something before fails", "[loopback]") {
  struct Row {
    const char* name;
    std::function<void(FakePhone&)> set_up;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"no Operator", [](FakePhone& phone) { phone.packages = ""; }, errc::operator_not_installed},
      {"log refused",
       [](FakePhone& phone) {
         phone.prepare = [](FakeDevice& device) {
           device.fails("shell,v2,raw:read B", Error(errc::refused, "closed"));
         };
       },
       errc::logcat_unavailable},
      {"log without a time", [](FakePhone& phone) { phone.log_header = "sh: read: not found\n"; },
       errc::logcat_unavailable},
      {"log that says nothing", [](FakePhone& phone) { phone.log_header = ""; },
       errc::logcat_unavailable},
      {"link gone at once",
       [](FakePhone& phone) {
         phone.log_header = "";
         phone.cut_log();
       },
       errc::link_lost},
      {"link gone before the log is opened",
       [](FakePhone& phone) {
         phone.prepare = [](FakeDevice& device) {
           device.fails("shell,v2,raw:read B", {errc::io, "connection refused"});
         };
       },
       errc::link_lost},
      {"the server has lost the device",
       [](FakePhone& phone) {
         phone.prepare = [](FakeDevice& device) {
           device.fails("shell,v2,raw:cmd package", {errc::refused, "device 'R58N12' not found"});
         };
       },
       errc::link_lost},
      {"app cannot be stopped",
       [](FakePhone& phone) { phone.force_stop = prints("", "Error: unknown package", 1); },
       errc::device_shell_unavailable},
      {"preflight hangs",
       [](FakePhone& phone) {
         phone.prepare = [](FakeDevice& device) {
           device.serve("shell,v2,raw:cmd package", hangs());
         };
       },
       errc::deadline_exceeded},
  }));
  INFO(row.name);
  EngineBench at;
  row.set_up(at.phone);
  const auto result =
      at.run(R"({"id":"a1","type":"close_app","params":{"applicationId":"com.android.settings"}})");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == row.code);
  CHECK_FALSE(at.phone.received("broadcast"));
  CHECK(DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2"));
}

TEST_CASE("engine: a device that another command holds is refused at once", "[loopback]") {
  EngineBench at;
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  REQUIRE(held);
  const auto result = at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::execution_conflict_in_flight);
  CHECK_FALSE(at.phone.received("broadcast"));
}

TEST_CASE("engine: a busy device is waited for when somebody asked for it", "[loopback][F18]") {
  EngineBench at;
  at.answers(result_line(step("a1", "click")));
  auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  REQUIRE(held);
  auto request = EngineBench::request(kClick);
  request.lock_patience = std::chrono::milliseconds(500);
  auto run = at.loop.start(at.execute(request));
  at.loop.settle_with_pool();
  at.time.advance(at.loop, std::chrono::milliseconds(100));
  CHECK_FALSE(at.phone.received("broadcast"));
  {
    const auto gone = *std::move(held);
  }
  REQUIRE(at.time.finish(at.loop, run));
  CHECK(at.phone.received("broadcast"));
}

TEST_CASE("engine: patience with a busy device has an end", "[loopback][F18]") {
  EngineBench at;
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  auto request = EngineBench::request(kClick);
  request.lock_patience = std::chrono::milliseconds(500);
  const auto result = at.run(std::move(request));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::execution_conflict_in_flight);
}

TEST_CASE("engine: a device that cannot be resolved ends it there", "[loopback]") {
  EngineBench at;
  const ResolveDevice no_device = [](const TargetOptions&) -> Task<std::unique_ptr<Device>> {
    co_return fail(errc::no_devices, "No connected devices");
  };
  const auto result =
      at.time.run(at.loop, execute(EngineBench::request(kClick), nullptr, no_device));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::no_devices);
}

TEST_CASE("engine: a cancelled run ends as cancelled, and says what was dispatched", "[loopback]") {
  EngineBench at;
  at.phone.after_broadcast = GENERATE_COPY(hangs(), prints("Broadcast completed: result=0\n"));
  auto run = at.loop.start(at.execute(EngineBench::request(kClick)));
  at.loop.settle_with_pool();
  REQUIRE(at.phone.received("broadcast"));
  run->cancel();
  const auto result = at.time.finish(at.loop, run);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::cancelled);
  CHECK(members_of(result)["details"]["dispatchAttempted"] == true);
  CHECK_FALSE(DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2"));
}

TEST_CASE("engine: one that is cancelled while the service is awaited says what was dispatched",
          "[loopback]") {
  EngineBench at;
  bool queried = false;
  at.phone.prepare = [&](FakeDevice& device) {
    device.serve("shell,v2,raw:cmd settings ",
                 [&](adbproto::ByteStreamPtr stream, const std::string& service) {
                   queried = true;
                   return hangs()(std::move(stream), service);
                 });
  };
  at.answers(
      R"([Clawperator-Result] {"commandId":"c-1","taskId":"t-1","status":"failed","stepResults":[],)"
      R"("error":"no service","errorCode":"SERVICE_UNAVAILABLE"})");
  auto run = at.loop.start(at.execute(EngineBench::request(kClick)));
  at.loop.settle_with_pool();
  REQUIRE(queried);
  run->cancel();
  const auto result = at.time.finish(at.loop, run);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::cancelled);
  CHECK(members_of(result)["details"]["dispatchAttempted"] == true);
}

namespace {

// A log that comes in parts, one for each time that it is opened; logd ends all but the last.
struct Parts {
  std::vector<Bytes> parts;
  std::vector<std::string> scripts;

  void add(std::string_view message, std::size_t from, std::size_t to,
           std::string_view before = {}) {
    parts.emplace_back();
    if (!before.empty()) append_result(before);
    const std::vector<std::string> entries = timber_entries(message);
    for (std::size_t i = from; i < std::min(to, entries.size()); ++i) {
      adbproto::LogRecord record{.pid = 7, .tid = 7, .sec = FakePhone::kNow + 1, .priority = 'D'};
      record.tag = "E";
      record.message = entries[i];
      append(parts.back(), encode_log_record(record));
    }
  }
  void append_result(std::string_view line) {
    adbproto::LogRecord record{.pid = 7, .tid = 7, .sec = FakePhone::kNow + 1, .priority = 'I'};
    record.tag = "E";
    record.message = line;
    append(parts.back(), encode_log_record(record));
  }
  void serve(FakeDevice& device) {
    device.serve("shell,v2,raw:read B", [this](adbproto::ByteStreamPtr stream, std::string name) {
      return send(std::move(stream), std::move(name));
    });
  }
  Task<void> send(adbproto::ByteStreamPtr stream, std::string name) {
    const std::size_t number = scripts.size();
    scripts.push_back(std::move(name));
    std::string out = "boot-1|SERIAL1|34|1700000000.000000000\n";
    if (number < parts.size()) out += as_text(parts[number]);
    const bool last = number + 1 == parts.size();
    if (!last) co_return co_await write_text(std::move(stream), shell_output(out, kUnexpected, 1));
    CO_TRY_VOID(co_await stream->write_all(
        encode_shell_packet(adbproto::ShellId::standard_out, as_bytes(out))));
    co_await sleep_for(std::chrono::hours(1));
    co_return ok();
  }
  static constexpr const char* kUnexpected = "logcat: Unexpected EOF!\n";
};

std::string long_tree() {
  std::string tree = "<hierarchy rotation=\"0\">\n";
  for (int i = 0; i < 300; ++i)
    tree += "  <node index=\"0\" text=\"same\" bounds=\"[0,0][1,1]\" />\n";
  return tree + "</hierarchy>";
}

}  // namespace

TEST_CASE("engine: a log that logd ends is opened once more, and nothing comes twice",
          "[loopback][R12]") {
  EngineBench at;
  Parts log;
  const std::string drawn = "[TaskScope] UI Hierarchy:\n" + long_tree();
  log.add(drawn, 0, 150, kBegun);
  log.add(drawn, 0, 1000, kBegun);  // from a second earlier on: all of it again
  log.append_result(result_line(step("s1", "snapshot_ui")));
  at.phone.prepare = [&](FakeDevice& device) { log.serve(device); };
  const auto result = at.run(R"({"id":"s1","type":"snapshot_ui"})");
  REQUIRE(result);
  CHECK(json::parse(to_json(result->envelope))["stepResults"][0]["data"]["text"] == long_tree());
  REQUIRE(log.scripts.size() == 2);
  CHECK_THAT(log.scripts[0], Catch::Contains("T=$E;"));
  CHECK_THAT(log.scripts[1], Catch::Contains("T=1700000000.000000000;"));
}

TEST_CASE("engine: a log that logd ends again and again is an error", "[loopback][R12]") {
  EngineBench at;
  Parts log;
  for (int i = 0; i < 5; ++i) log.add("a line", 0, 1);
  at.phone.prepare = [&](FakeDevice& device) { log.serve(device); };
  const auto result = at.run(kClick);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_transport_exited);
  CHECK(log.scripts.size() == 2);
}

TEST_CASE("engine: whatever a broadcast prints that went out, the log answers",
          "[loopback][R19][R27]") {
  const auto printed = GENERATE_COPY(
      prints(""), prints("", "", 0), prints("Broadcasting: Intent {}\n"),
      prints("Broadcasting: Intent {}\nBroadcast wait for finish timeout\n"),
      prints("Broadcast wait for finish timeout\n", "", 1),
      prints("Broadcasting: Intent {}\nBroadcast completed: result=0\n", "", 1),
      prints("Error: Target package not found: com.clawperator.operator does not exist\n"));
  EngineBench at;
  at.phone.after_broadcast = printed;
  at.answers(result_line(step("a1", "click")));
  const auto result = at.run(kClick);
  REQUIRE(result);
  CHECK(result->envelope.status == EnvelopeStatus::success);
}
