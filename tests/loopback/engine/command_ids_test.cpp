// Whose answer it is where a process stays: each dispatch goes by an id of its own.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/system/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "support/print_result.hpp"
#include "support/warm_engine.hpp"

using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using nlohmann::json;

TEST_CASE("answer: a command id that was there before is dispatched by another one",
          "[loopback][S1]") {
  Warm of;
  std::vector<std::string> dispatched;
  of.at.phone.on_broadcast = [&](const std::string& payload) {
    dispatched.push_back(json::parse(payload).at("commandId"));
    of.at.phone.log(answer_to(payload));
  };
  for (int i = 0; i < 2; ++i) {
    ExecuteRequest request = of.request("c-1");
    request.dispatch_ids = {};
    const auto result = of.at.run(std::move(request));
    REQUIRE(result);
    CHECK(result->envelope.command_id == "c-1");
  }
  CHECK(of.logs() == 1);
  REQUIRE(dispatched.size() == 2);
  CHECK(dispatched[0] != dispatched[1]);
  for (const std::string& id : dispatched) {
    CHECK(id.size() == 32);
    CHECK(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == id.npos);
  }
}

TEST_CASE("answer: an earlier answer to the same caller's id is not the next one's",
          "[loopback][S1]") {
  Warm of;
  std::string first_payload;
  of.at.phone.on_broadcast = [&](const std::string& payload) {
    first_payload = payload;
    of.at.phone.log(answer_to(payload));
  };
  ExecuteRequest request = of.request("c-1");
  request.dispatch_ids = {};
  REQUIRE(of.at.run(std::move(request)));
  of.at.phone.on_broadcast = [&](const std::string&) { of.at.phone.log(answer_to(first_payload)); };
  request = of.request("c-1");
  request.dispatch_ids = {};
  const auto second = of.at.run(std::move(request));
  REQUIRE_FALSE(second);
  CHECK(second.error().code() == errc::result_envelope_timeout);
  const json details = json::parse(second.error().members()).at("details");
  CHECK(details["commandId"] == "c-1");
  CHECK(details["dispatchId"].get<std::string>().size() == 32);
}

TEST_CASE("answer: the same command id waits in line, and is refused without patience",
          "[loopback][S1]") {
  Warm of;
  of.at.phone.on_broadcast = [](const std::string&) {};
  const auto first = of.at.loop.start(of.at.execute(of.request("c-1")));
  of.at.loop.settle_with_pool();
  const auto refused = of.run("c-1");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::execution_conflict_in_flight);
  ExecuteRequest again = of.request("c-1");
  again.lock_patience = 60s;
  const auto second = of.at.loop.start(of.at.execute(std::move(again)));
  of.at.loop.settle_with_pool();
  CHECK_FALSE(second->done());
  CHECK(of.asked("broadcast") == 1);
  of.at.phone.on_broadcast = [&](const std::string& payload) {
    of.at.phone.log(answer_to(payload));
  };
  of.at.phone.log(answer_to(R"({"commandId":"c-1"})"));
  REQUIRE(of.at.time.finish(of.at.loop, first));
  REQUIRE(of.at.time.finish(of.at.loop, second));
  CHECK(of.asked("broadcast") == 2);
}
