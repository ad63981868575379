// An action whose link is cut, wherever that happens, ends at once: as done, or as LINK_LOST that
// says whether the phone may have got it.

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/device/target_file.hpp"
#include "runtime/engine/engine.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/simulation.hpp"
#include "support/cutting_proxy.hpp"
#include "support/device_bench.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;
using nlohmann::json;

namespace {

Task<void> stop(Supervisor* supervisor, simdroid::Simulation* phone) {
  co_await supervisor->stop();
  co_await phone->stop();
  co_return ok();
}

ExecuteRequest press_back(const std::string& device, int number) {
  auto execution = parse_execution(R"({"commandId":"c-)" + std::to_string(number) +
                                   R"(","taskId":"t","source":"test",)"
                                   R"("expectedFormat":"android-ui-automator","timeoutMs":10000,)"
                                   R"("actions":[{"id":"a","type":"press_key",)"
                                   R"("params":{"key":"back"}}]})");
  REQUIRE(execution);
  ExecuteRequest request;
  request.execution = *std::move(execution);
  request.target.device = device;
  request.operator_package = "com.clawperator.operator";
  request.broadcast_action = "app.clawperator.operator.ACTION_AGENT_COMMAND";
  return request;
}

}  // namespace

TEST_CASE("soak: an action ends with its link, at once, and is never sent again", "[soak]") {
  ManualTime time;
  DeviceBench host;
  host.server.stop();
  simdroid::SimOptions sim;
  sim.port = 0;
  sim.operator_version = "0.5.3";
  auto phone = simdroid::Simulation::create(host.loop.executor(), sim);
  REQUIRE(phone);
  CuttingProxy cable(host.loop, *(*phone)->listen());
  REQUIRE(run_task(add_target(cable.address())));
  auto supervisor = time.run(host.loop, Supervisor::start({.target = host.options()}));
  REQUIRE(supervisor);
  const ResolveDevice resolve = [&](TargetOptions target) {
    return open_supervised(supervisor->get(), std::move(target));
  };

  int done = 0;
  int before_dispatch = 0;
  int after_dispatch = 0;
  for (int i = 0; i < 60; ++i) {
    const TempFolder locks;  // each is the first command of its host
    const Variable runtime("XDG_RUNTIME_DIR", locks.path().string());
    const Variable alone("CLAWPERATOR_LOCK_DIR", locks.path().string());
    time.advance(host.loop, 3s);
    cable.cut_after(static_cast<std::size_t>(1 + i * 60));
    const auto began = time.elapsed();
    const auto sent = (*phone)->phone().counters.get("broadcast");
    const auto result =
        time.run(host.loop, execute(press_back(cable.address(), i), nullptr, resolve), 10ms);
    INFO("cut after " << 1 + i * 60 << " bytes");
    CHECK(time.elapsed() - began < 3s);
    cable.cut();
    CHECK((*phone)->phone().counters.get("broadcast") <= sent + 1);
    if (result) {
      ++done;
      continue;
    }
    CHECK(result.error().code() == errc::link_lost);
    const std::string& members = result.error().members();
    const json details = members.empty() ? json() : json::parse(members)["details"];
    ++(details.is_object() ? after_dispatch : before_dispatch);
    if (!details.is_object()) {
      CHECK((*phone)->phone().counters.get("broadcast") == sent);
      continue;
    }
    CHECK(details["dispatchAttempted"] == true);
    CHECK(details["executionPosition"] == "unknown");
  }
  CHECK(done > 0);
  CHECK(before_dispatch > 0);
  CHECK(after_dispatch > 0);
  REQUIRE(time.run(host.loop, stop(supervisor->get(), phone->get())));
}
