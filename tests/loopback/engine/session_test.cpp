// What a process that lives long keeps of a device between executions: its log, and that the
// Operator is there.

#include "runtime/engine/device_session.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/ui_tree.hpp"
#include "support/print_result.hpp"
#include "support/warm_engine.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

Task<std::unique_ptr<Device>> no_device(const TargetOptions&) {
  co_return fail(errc::no_devices, "No connected devices");
}

Task<DeviceMemory> recall(DeviceSession* session) { co_return co_await session->recall("phone"); }

}  // namespace

TEST_CASE("session: one log serves many commands, and the Operator is checked once", "[loopback]") {
  Warm of;
  for (const char* id : {"c-1", "c-2", "c-3"}) {
    const auto result = of.run(id);
    REQUIRE(result);
    CHECK(result->envelope.command_id == id);
  }
  CHECK(of.logs() == 1);
  CHECK(of.asked("list") == 1);
  CHECK(of.asked("broadcast") == 3);
}

TEST_CASE("session: what is remembered of a device is read once", "[loopback]") {
  Warm warm;
  REQUIRE(warm.run("c-1"));
  adbproto::Scope scope(warm.at.loop.executor());
  const auto session =
      std::make_shared<DeviceSession>(warm.at.loop.executor(), &scope, Reconnect{});
  const auto recalled = [&] { return warm.at.loop.run(recall(session.get())).value(); };
  DeviceMemory memory;
  memory.boot_id = "boot-1";
  remember_device("phone", memory);
  CHECK(recalled() == memory);
  memory.sdk = 30;
  remember_device("phone", memory);  // by another process
  CHECK(recalled().sdk == 0);
  memory.sdk = 31;
  session->remember("phone", memory);
  CHECK(recalled() == memory);
  warm.at.loop.settle_with_pool();
  CHECK(recall_device("phone") == memory);
}

TEST_CASE("session: the end of the log between commands costs a new one", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.cut_log();
  of.at.loop.settle_with_pool();
  const auto result = of.run("c-2");
  REQUIRE(result);
  CHECK(result->envelope.command_id == "c-2");
  CHECK(of.logs() == 2);
}

TEST_CASE("session: the end of the log in a command is reported as after a dispatch",
          "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.on_broadcast = [&](const std::string&) { of.at.phone.exit_logcat("", 1); };
  const auto result = of.run("c-2");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_transport_exited);
  CHECK(json::parse(result.error().members()).at("details").at("dispatchAttempted") == true);
  CHECK(of.asked("broadcast") == 2);
}

TEST_CASE("session: an answer that comes over the next link is heard", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  std::string payload;
  of.at.phone.on_broadcast = [&](const std::string& sent) {
    payload = sent;
    of.at.phone.cut_log();
  };
  SECTION("the broadcast had ended") {}
  SECTION("the broadcast's own stream went with the link") {
    of.at.phone.after_broadcast = says("");
  }
  const auto started = of.at.loop.start(of.at.execute(of.request("c-2")));
  of.at.loop.settle_with_pool();
  of.at.phone.log("[Clawperator-Command] start commandId=c-2 taskId=t-1");
  of.at.time.advance(of.at.loop, 1s);
  REQUIRE_FALSE(started->done());
  of.at.phone.log(answer_to(payload));
  const auto result = of.at.time.finish(of.at.loop, started);
  REQUIRE(result);
  CHECK(succeeded(result->envelope));
  CHECK(of.logs() == 2);
  CHECK(of.asked("broadcast") == 2);
}

TEST_CASE("session: a phone that does not come back leaves the outcome unknown", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.on_broadcast = [&](const std::string&) { of.at.phone.cut_log(); };
  SECTION("no answer") { of.reopen = no_device; }
  SECTION("it was restarted meanwhile") { of.at.phone.log_header = "boot-2|SERIAL1|34|1.5\n"; }
  const auto result = of.run("c-2");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::link_lost);
  CHECK(json::parse(result.error().members()).at("details").at("dispatchAttempted") == true);
  CHECK(of.asked("broadcast") == 2);
}

TEST_CASE("session: there is no search for a phone that no command waits for", "[loopback]") {
  Warm of;
  int asked = 0;
  of.reopen = [&asked](const TargetOptions& target) {
    ++asked;
    return no_device(target);
  };
  REQUIRE(of.run("c-1"));
  of.at.phone.cut_log();
  of.at.time.advance(of.at.loop, 1min);
  CHECK(asked == 0);
}

TEST_CASE("session: a silent Operator is checked, and reported when it is gone", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.packages = "";
  of.at.phone.on_broadcast = [](const std::string&) {};
  const auto result = of.run("c-2");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::operator_not_installed);
  CHECK(json::parse(result.error().members()).at("details").at("dispatchAttempted") == true);
  CHECK(of.asked("list") == 2);
  SECTION("and is checked at once from then on") {
    const auto next = of.run("c-3");
    REQUIRE_FALSE(next);
    CHECK(next.error().code() == errc::operator_not_installed);
    CHECK(of.asked("list") == 3);
  }
}

TEST_CASE("session: a broadcast that the device refuses is explained by an absent Operator",
          "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.on_broadcast = [](const std::string&) {};
  of.at.phone.after_broadcast = prints("", "Error: no such package", 1);
  const bool is_there = GENERATE(false, true);
  if (!is_there) of.at.phone.packages = "";
  const auto result = of.run("c-2");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() ==
        (is_there ? errc::broadcast_failed : errc::operator_not_installed));
  CHECK(of.asked("list") == 2);
}

TEST_CASE("session: of an unknown boot the Operator is checked, and at once", "[loopback]") {
  Warm of;
  of.at.phone.log_header = "|SERIAL1|34|1700000000.000000000\n";
  REQUIRE(of.run("c-1"));
  const auto before = of.at.time.elapsed();
  REQUIRE(of.run("c-2"));
  CHECK(of.at.time.elapsed() - before < 100ms);
  CHECK(of.asked("list") == 2);
}

namespace {

constexpr std::string_view kShot = R"({"id":"a1","type":"take_screenshot"})";

asio::awaitable<void> execute_and_wait(Warm* of, std::string id, bool* has_run, bool* has_ended) {
  *has_run = (co_await of->at.execute(of->request(id, kShot))).has_value();
  co_await sleep_for(1h);
  *has_ended = true;
}

}  // namespace

TEST_CASE("session: whose picture failed can still be cancelled afterwards", "[loopback]") {
  Warm of;
  of.at.phone.on_broadcast = [&](const std::string& payload) {
    const std::string id = json::parse(payload).at("commandId");
    of.at.phone.log(R"([Clawperator-Result] {"commandId":")" + id +
                    R"(","taskId":"t-1","status":"success","stepResults":[)" +
                    step("a1", "take_screenshot") + R"(],"error":null})");
  };
  REQUIRE(of.run("c-1", kShot));  // from now on the Operator is trusted
  adbproto::Scope scope(of.at.loop.executor());
  bool has_run = false, has_ended = false;
  scope.spawn(execute_and_wait(&of, "c-2", &has_run, &has_ended));
  of.at.time.advance(of.at.loop, 1s);
  REQUIRE(has_run);
  REQUIRE_FALSE(has_ended);
  scope.cancel();
  of.at.loop.settle_with_pool();
  CHECK(scope.size() == 0);
}

TEST_CASE("session: an Operator that has begun is not asked for, however long it takes",
          "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.on_broadcast = [&](const std::string&) {
    of.at.phone.log("[Clawperator-Command] start commandId=c-2 taskId=t-1");
  };
  const auto result = of.run("c-2");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_envelope_timeout);
  CHECK(of.asked("list") == 1);
}

TEST_CASE("session: a plan that stops an app waits for the Operator to be found", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.packages = "";
  const auto result = of.run(
      "c-2", R"({"id":"a1","type":"close_app","params":{"applicationId":"com.android.settings"}})");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::operator_not_installed);
  CHECK(of.asked("force-stop") == 0);
  CHECK(of.asked("broadcast") == 1);
}

TEST_CASE("session: a log without a reader is closed after a while", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  const auto [pause, logs] =
      GENERATE(std::pair{LogPump::kKept - 1min, 1}, std::pair{LogPump::kKept + 1min, 2});
  of.at.time.advance(of.at.loop, pause);
  of.at.loop.settle_with_pool();
  REQUIRE(of.run("c-2"));
  CHECK(of.logs() == logs);
}

TEST_CASE("session: the end of the process ends a command that waits", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  of.at.phone.on_broadcast = [](const std::string&) {};
  const auto started = of.at.loop.start(of.at.execute(of.request("c-2")));
  of.at.loop.settle_with_pool();
  REQUIRE_FALSE(started->done());
  of.end();
  const auto result = of.at.time.finish(of.at.loop, started);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::link_lost);
}

TEST_CASE("session: without one every command reads a log of its own", "[loopback]") {
  Warm of;
  for (const char* id : {"c-1", "c-2"}) {
    ExecuteRequest request = of.request(id);
    request.sessions = nullptr;
    const auto result = of.at.run(std::move(request));
    REQUIRE(result);
  }
  CHECK(of.logs() == 2);
}

namespace {

constexpr std::string_view kLook = R"({"id":"s1","type":"snapshot_ui"})";

std::string hierarchy(std::string_view text) {
  return R"(<hierarchy rotation="0"><node index="0" text=")" + std::string(text) +
         R"(" bounds="[0,0][9,9]" /></hierarchy>)";
}

// What the app logs of a snapshot: the tree, then the answer.
void show(Warm& of, std::string_view text) {
  of.at.phone.on_broadcast = [&of, tree = hierarchy(text)](const std::string& payload) {
    const std::string id = json::parse(payload).at("commandId");
    of.at.phone.log("[Clawperator-Command] start commandId=" + id + " taskId=t-1");
    of.at.phone.log("[TaskScope] UI Hierarchy:\n" + tree);
    of.at.phone.log("[Clawperator-Result] " +
                    JsonObject()
                        .text("commandId", id)
                        .text("taskId", "t-1")
                        .text("status", "success")
                        .json("stepResults", "[" + step("s1", "snapshot_ui") + "]")
                        .null("error")
                        .str());
  };
}

json refused_look(Warm& of, const std::string& id, std::string_view action = kLook) {
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  const auto result = of.run(id, action);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::execution_conflict_in_flight);
  return json::parse(result.error().members()).at("details");
}

}  // namespace

TEST_CASE("session: a snapshot of a busy device gets the last seen tree", "[loopback]") {
  Warm of;
  CHECK_FALSE(refused_look(of, "c-0").contains("lastTree"));
  show(of, "before");
  REQUIRE(of.run("c-1", kLook));
  show(of, "now");
  REQUIRE(of.run("c-2", kLook));
  of.at.time.advance(of.at.loop, 7s);
  const json details = refused_look(of, "c-3");
  CHECK(details["lastTree"]["hash"] == tree_hash(*parse_hierarchy(hierarchy("now"))));
  CHECK(details["lastTree"]["ageMs"] == 7000);
  CHECK(details["commandId"] == "other");  // the holder's
  SECTION("an acting plan is not") {
    CHECK_FALSE(refused_look(of, "c-4", kClick).contains("lastTree"));
  }
  SECTION("another command id of the same name makes no difference") {
    CHECK(refused_look(of, "c-3").contains("lastTree"));
  }
  SECTION("after the link has ended it is forgotten") {
    of.at.phone.cut_log();
    of.at.loop.settle_with_pool();
    CHECK_FALSE(refused_look(of, "c-4").contains("lastTree"));
  }
}

TEST_CASE("session: who waits in line is served in turn, and says how long it took", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  std::vector<std::string> order;
  of.at.phone.on_broadcast = [&](const std::string& payload) {
    order.push_back(json::parse(payload).at("commandId"));
  };
  const auto wait = [&](const std::string& id) {
    ExecuteRequest request = of.request(id);
    request.lock_patience = 60s;
    auto run = of.at.loop.start(of.at.execute(std::move(request)));
    of.at.loop.settle_with_pool();
    return run;
  };
  const auto first = wait("c-2");
  const auto second = wait("c-3");
  const auto third = wait("c-4");
  CHECK(order == std::vector<std::string>{"c-2"});
  second->cancel();
  of.at.loop.settle_with_pool();
  CHECK(second->done());
  of.at.time.advance(of.at.loop, 1500ms);
  of.at.phone.on_broadcast = [&](const std::string& payload) {
    order.push_back(json::parse(payload).at("commandId"));
    of.at.phone.log(answer_to(payload));
  };
  of.at.phone.log(answer_to(R"({"commandId":"c-2"})"));
  REQUIRE(of.at.time.finish(of.at.loop, first));
  const auto last = of.at.time.finish(of.at.loop, third);
  REQUIRE(last);
  CHECK(last->timings.queue == 1500ms);
  CHECK(order == std::vector<std::string>{"c-2", "c-4"});
}

TEST_CASE("session: who waits in line when the log ends is not dispatched", "[loopback]") {
  Warm of;
  REQUIRE(of.run("c-1"));
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  ExecuteRequest request = of.request("c-2");
  request.lock_patience = 60s;
  const auto waiting = of.at.loop.start(of.at.execute(std::move(request)));
  of.at.loop.settle_with_pool();
  CHECK_FALSE(waiting->done());
  of.reopen = no_device;
  of.at.phone.cut_log();
  of.at.time.advance(of.at.loop, LogPump::kReturnLimit);
  REQUIRE(waiting->done());
  CHECK_FALSE(waiting->result());
  CHECK(of.asked("broadcast") == 1);
}
