// What holds for every backend: each case runs by the Operator app and by the phone's
// shell. tests/contract/backend compares what their steps do on a whole phone.

#include "runtime/engine/backend.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/system/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

// A phone that serves both: it has the app, which does what it is sent, and `input`.
struct BothBackends {
  BothBackends() {
    at.phone.on_broadcast = [this](const std::string& payload) {
      if (!answers) return;
      std::string steps;
      const json plan = json::parse(payload);
      for (const json& action : plan["actions"]) {
        const std::string id = action["id"];
        const std::string type = action["type"];
        log_stage("stage-start", type, id);
        log_stage("stage-success", type, id);
        steps += (steps.empty() ? "" : ",") + step(id, type, true, data_of(action));
      }
      at.phone.log(result_line(steps));
    };
    at.phone.after_broadcast = prints("");
    at.phone.prepare = [](FakeDevice& device) {
      device.serve("shell,v2,raw:getprop ro.serialno", prints("SERIAL1\nboot-1\n"));
      device.serve("shell,v2,raw:getprop ro.build", prints("34\n"));
      device.serve("shell,v2,raw:dumpsys window displays",
                   prints("  Display: mDisplayId=0\n    init=1080x2400 420dpi cur=1080x2400\n"));
    };
  }

  static std::string data_of(const json& action) {
    const json params = action.value("params", json::object());
    JsonObject data;
    if (action["type"] == "press_key") data.text("key", std::string(params["key"]));
    if (action["type"] == "sleep") {
      data.text("duration_ms", std::to_string(params["durationMs"].get<int>()));
    }
    return data.str();
  }
  void log_stage(const std::string& stage, const std::string& type, const std::string& id) {
    at.phone.log("[Clawperator-Command] " + stage + " commandId=c-1 taskId=t-1 id=" + type +
                 " label=" + id);
  }

  [[nodiscard]] ExecuteRequest request(std::string_view actions) const {
    ExecuteRequest request = EngineBench::request(actions);
    request.backend = backend;
    return request;
  }
  // How often anything was sent that acts.
  [[nodiscard]] long acts() const {
    return std::ranges::count_if(at.phone.commands(), [](const FakePhone::Words& words) {
      return words.size() > 1 &&
             (words[1] == "keyevent" || words[1] == "tap" || words[1] == "broadcast");
    });
  }

  Backend backend = GENERATE(Backend::operator_app, Backend::shell);
  bool answers = true;
  EngineBench at;
};

constexpr std::string_view kPlan = R"({"id":"k1","type":"press_key","params":{"key":"back"}},)"
                                   R"({"id":"w1","type":"sleep","params":{"durationMs":1}},)"
                                   R"({"id":"k2","type":"press_key","params":{"key":"home"}})";

}  // namespace

TEST_CASE("backends: the same plan has the same envelope", "[loopback]") {
  BothBackends of;
  const auto result = of.at.run(of.request(kPlan));
  REQUIRE(result);
  CHECK(
      json::parse(to_json(result->envelope)) ==
      json::parse(
          R"({"commandId":"c-1","taskId":"t-1","status":"success","stepResults":[)"
          R"({"id":"k1","actionType":"press_key","success":true,"data":{"key":"back"}},)"
          R"({"id":"w1","actionType":"sleep","success":true,"data":{"duration_ms":"1"}},)"
          R"({"id":"k2","actionType":"press_key","success":true,"data":{"key":"home"}}],"error":null})"));
  CHECK(result->backend == of.backend);
  CHECK(result->device_id == "phone-1");
  CHECK(result->execution_id.size() == 26);
  CHECK(result->attempts == 1);
}

TEST_CASE("backends: what goes out is announced once, before it goes", "[loopback]") {
  BothBackends of;
  auto request = of.request(kPlan);
  int announced = 0;
  bool was_late = false;
  request.before_effects = [&]() -> Task<void> {
    ++announced;
    was_late = of.acts() > 0;
    co_return ok();
  };
  REQUIRE(of.at.run(std::move(request)));
  CHECK(announced == 1);
  CHECK_FALSE(was_late);
  CHECK(of.acts() > 0);
}

TEST_CASE("backends: nothing goes out where it may not be announced", "[loopback]") {
  BothBackends of;
  auto request = of.request(kPlan);
  request.before_effects = []() -> Task<void> { co_return fail(errc::cancelled, "hung up"); };
  const auto result = of.at.run(std::move(request));
  REQUIRE_FALSE(result);
  CHECK(result.error().message() == "hung up");
  CHECK(of.acts() == 0);
}

TEST_CASE("backends: a phone that is busy gets nothing", "[loopback]") {
  BothBackends of;
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  REQUIRE(held);
  const auto result = of.at.run(of.request(kPlan));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::execution_conflict_in_flight);
  CHECK(of.acts() == 0);
}

TEST_CASE("backends: a point that lies on no screen is refused, and nothing goes out",
          "[loopback]") {
  BothBackends of;
  const auto result = of.at.run(
      of.request(R"({"id":"a1","type":"click","params":{"coordinate":{"x":1080,"y":2}}})"));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::off_screen);
  CHECK(of.acts() == 0);
}

TEST_CASE("backends: the steps of a plan are reported as they go", "[loopback]") {
  BothBackends of;
  auto request = of.request(kPlan);
  std::vector<std::string> stages;
  request.on_stage = [&](const Stage& stage) {
    stages.push_back(std::string(stage.name) + " " + std::string(stage.operation));
  };
  REQUIRE(of.at.run(std::move(request)));
  CHECK(stages == std::vector<std::string>{"start press_key", "success press_key", "start sleep",
                                           "success sleep", "start press_key",
                                           "success press_key"});
}

TEST_CASE("backends: one that is cancelled while it acts says so, and keeps others away",
          "[loopback]") {
  BothBackends of;
  of.answers = false;
  of.at.phone.after_broadcast = hangs();
  auto run = of.at.loop.start(of.at.execute(of.request(kPlan)));
  of.at.loop.settle_with_pool();
  REQUIRE(of.acts() == 1);
  CHECK_FALSE(DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2"));
  run->cancel();
  const auto result = of.at.time.finish(of.at.loop, run);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::cancelled);
  const json details = json::parse(result.error().members())["details"];
  CHECK(details["dispatchAttempted"] == true);
  CHECK(details["executionPosition"] == "unknown");
  CHECK_FALSE(DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "c-2"));  // it may go on there
}

TEST_CASE("backends: a link that is lost while it acts leaves the outcome unknown", "[loopback]") {
  BothBackends of;
  of.answers = false;
  of.at.phone.after_broadcast = says("");  // no status
  if (of.backend == Backend::operator_app) {
    of.at.phone.on_broadcast = [&](auto&) { of.at.phone.cut_log(); };
  }
  const auto result = of.at.run(of.request(kPlan));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::link_lost);
  CHECK(json::parse(result.error().members())["details"]["dispatchAttempted"] == true);
}
