// What single tools send and answer; tests/contract/mcp has them on a device.
#include "runtime/mcp/tool.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "runtime/engine/errc.hpp"
#include "support/manual_time.hpp"
#include "unit/mcp/bench.hpp"

using namespace clawperator;
using namespace clawperator::mcp;
using namespace clawperator::mcp_test;
using nlohmann::json;

namespace {

// A screen with so many buttons of one text.
ExecuteResult screen_with(int twins) {
  std::string xml = "<hierarchy rotation=\"0\">";
  for (int i = 0; i < twins; ++i) {
    xml +=
        "<node index=\"0\" text=\"Delete\" resource-id=\"\" class=\"android.widget.Button\" "
        "package=\"a.b\" content-desc=\"\" clickable=\"true\" enabled=\"true\" bounds=\"[0," +
        std::to_string(10 * i) + "][90," + std::to_string(10 * i + 10) + "]\"/>";
  }
  ExecuteResult result = success();
  result.envelope.step_results = {{.id = "look",
                                   .action_type = "snapshot_ui",
                                   .success = true,
                                   .data = {{"text", xml + "</hierarchy>"}}}};
  return result;
}

std::unexpected<Error> too_old() {
  return fail_with(errc::operator_feature_missing, "too old",
                   ErrorMembers().text("feature", "strict"));
}

// The parameters of a request's step, which may have none.
json params_of(const ExecuteRequest& request, std::size_t step = 0) {
  return json::parse(params_json(request.execution.actions.at(step)).value_or("{}"));
}

constexpr const char* kTapDelete =
    R"({"name":"tap","arguments":{"selector":{"text":"Delete"},"observe":"none"}})";

json plan_of(const std::string& actions) {
  return json::parse(R"({"name":"execute","arguments":{"actions":)" + actions + "}}");
}

}  // namespace

TEST_CASE("mcp tools: what acts on a selector is strict, on a point or the nth it is not") {
  Bench bench;
  bench.outcome = screen_with(1);
  bench.call(kTapDelete);
  CHECK(params_of(bench.requests.back())["strict"] == true);
  bench.call(R"({"name":"type_text","arguments":{"selector":{"text":"Delete"},"text":"a"}})");
  CHECK(params_of(bench.requests.back())["strict"] == true);
  bench.call(R"({"name":"tap","arguments":{"selector":{"text":"Delete"},"scroll":"down"}})");
  CHECK(params_of(bench.requests.back())["strict"] == true);
  bench.call(R"({"name":"tap","arguments":{"selector":{"text":"Delete"},"nth":1}})");
  CHECK_FALSE(params_of(bench.requests.back()).contains("strict"));
  bench.call(R"({"name":"tap","arguments":{"x":1,"y":2}})");
  CHECK_FALSE(params_of(bench.requests.back()).contains("strict"));
}

TEST_CASE("mcp tools: of an app that is too old to be strict one look decides, and no more") {
  Bench bench;
  bench.outcomes = {too_old(), screen_with(1), success()};
  CHECK_FALSE(bench.call(kTapDelete)["result"].contains("isError"));
  REQUIRE(bench.requests.size() == 3);
  CHECK(bench.requests[1].execution.actions[0].type() == ActionType::snapshot_ui);
  CHECK_FALSE(params_of(bench.requests[2]).contains("strict"));

  bench.requests.clear();
  bench.outcomes = {too_old(), screen_with(3)};
  const json error = json::parse(text_of(bench.call(kTapDelete)));
  CHECK(bench.requests.size() == 2);
  CHECK(error["code"] == "NODE_AMBIGUOUS");
  CHECK(error["matches"] == 3);
  REQUIRE(error["candidates"].size() == 3);
  const std::string second = error["candidates"][1];
  CHECK(second.substr(12) == "@2 button \"Delete\" (45,15) click");
}

TEST_CASE("mcp tools: an old app scrolls first, and clicks what alone is there then") {
  Bench bench;
  const char* scroll =
      R"({"name":"tap","arguments":{"selector":{"text":"Delete"},"scroll":"down","observe":"none"}})";
  bench.outcomes = {too_old(), success(), screen_with(1), success()};
  CHECK_FALSE(bench.call(scroll)["result"].contains("isError"));
  REQUIRE(bench.requests.size() == 4);
  CHECK(bench.requests[1].execution.actions[0].type() == ActionType::scroll_until);
  CHECK(bench.requests[3].execution.actions[0].type() == ActionType::click);
  bench.requests.clear();
  bench.outcomes = {too_old(), success(), screen_with(2)};
  CHECK(json::parse(text_of(bench.call(scroll)))["code"] == "NODE_AMBIGUOUS");
  CHECK(bench.requests.size() == 3);
}

TEST_CASE("mcp tools: which nodes fit is read from the screen that the plan has seen") {
  Bench bench;
  ExecuteResult refused = screen_with(2);
  refused.envelope.status = EnvelopeStatus::failed;
  refused.envelope.error = "Step click (click) failed: NODE_AMBIGUOUS";
  refused.envelope.error_code = "NODE_AMBIGUOUS";
  bench.outcome = refused;
  const json content = json::parse(
      text_of(bench.call(R"({"name":"tap","arguments":{"selector":{"text":"Delete"}}})")));
  CHECK(content["code"] == "NODE_AMBIGUOUS");
  CHECK(content["matches"] == 2);
  CHECK(content["candidates"].size() == 2);
  CHECK(bench.requests.size() == 1);
}

TEST_CASE("mcp tools: the one step of a plan that acts is strict unless it says otherwise") {
  Bench bench;
  bench.outcome = success();
  const std::string click = R"({"id":"c","type":"click","params":{"matcher":{"textEquals":"x"}}})";
  bench.call(plan_of("[" + click + R"(,{"id":"s","type":"snapshot_ui"}])").dump());
  CHECK(params_of(bench.requests.back())["strict"] == true);
  bench.call(plan_of("[" + click + "," + click + "]").dump());
  CHECK_FALSE(params_of(bench.requests.back()).contains("strict"));
  bench.call(
      plan_of(
          R"([{"id":"c","type":"click","params":{"matcher":{"textEquals":"x"},"strict":false}}])")
          .dump());
  CHECK(params_of(bench.requests.back())["strict"] == false);
  bench.call(plan_of(R"([{"id":"k","type":"press_key","params":{"key":"back"}}])").dump());
  CHECK_FALSE(params_of(bench.requests.back()).contains("strict"));

  bench.requests.clear();
  bench.outcomes = {too_old(), screen_with(2)};
  const json error = json::parse(text_of(bench.call(
      plan_of(R"([{"id":"c","type":"click","params":{"matcher":{"textEquals":"Delete"}}}])")
          .dump())));
  CHECK(error["code"] == "NODE_AMBIGUOUS");
  CHECK(bench.requests.size() == 2);
}

TEST_CASE("mcp tools: a backend that is named is obeyed, else what needs no app does without it") {
  Bench bench;
  bench.outcome = success();
  const auto backend_for = [&](std::optional<Backend> named, const char* call) {
    bench.defaults.backend = named;
    bench.call(call);
    return bench.requests.back().backend;
  };
  const char* blind = R"({"name":"open_app","arguments":{"package":"a.b","observe":"none"}})";
  const char* seen = R"({"name":"open_app","arguments":{"package":"a.b"}})";
  const char* picture = R"({"name":"screenshot"})";
  const char* marked = R"({"name":"screenshot","arguments":{"marks":"all"}})";
  const char* empty = R"({"name":"type_text","arguments":{"selector":{"text":"x"},"text":""}})";
  for (const char* call : {blind, picture, empty}) {
    INFO(call);
    CHECK(backend_for(std::nullopt, call) == Backend::shell);
    CHECK(backend_for(Backend::operator_app, call) == Backend::operator_app);
  }
  for (const char* call : {seen, marked}) {
    INFO(call);
    CHECK(backend_for(std::nullopt, call) == Backend::operator_app);
    CHECK(backend_for(Backend::shell, call) == Backend::shell);
  }
}

TEST_CASE("mcp tools: devices begin with the one that calls are for, be it there or not") {
  Bench bench;
  bench.executor.on_devices = []() -> Task<std::vector<DeviceRow>> {
    co_return std::vector<DeviceRow>{{.serial = "A", .state = State::device},
                                     {.serial = "B", .state = State::device}};
  };
  const auto listed = [&] {
    return json::parse(text_of(bench.call(R"({"name":"devices"})")))["devices"];
  };
  CHECK(listed()[0]["device"] == "A");
  CHECK_FALSE(listed().dump().contains("default"));
  bench.defaults.target.device = "B";
  CHECK(listed()[0]["device"] == "B");
  CHECK(listed()[0]["default"] == true);
  CHECK(listed()[1]["device"] == "A");
  CHECK_FALSE(listed()[1].contains("default"));
  bench.defaults.target.device = "C";
  CHECK(listed()[0] == json{{"device", "C"}, {"state", "absent"}, {"default", true}});
  CHECK(listed().size() == 3);
}

TEST_CASE("mcp tools: a wait goes to the phone in short parts, and is reported as a whole") {
  adbproto::testing::ManualTime time;
  Bench bench;
  std::vector<double> parts;
  bench.executor.on_execute = [&](ExecuteRequest request) -> Task<ExecuteResult> {
    ExecuteResult vain = screen_with(1);
    if (request.execution.actions[0].type() != ActionType::wait_for_node) co_return vain;
    parts.push_back(params_of(request)["timeoutMs"].get<double>());
    co_await adbproto::sleep_for(
        std::chrono::milliseconds(static_cast<std::int64_t>(parts.back())));
    vain.envelope = {};
    vain.envelope.status = EnvelopeStatus::failed;
    vain.envelope.error = "Timeout waiting for node matching: x (timeoutMs=1000)";
    co_return vain;
  };
  Server server(bench.loop.executor(), &bench.defaults);
  const auto reply = time.run(
      bench.loop,
      Bench::answer(
          &server,
          std::get<Message>(read_message(
              R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait_for","arguments":{"selector":{"text":"x"},"timeout_ms":700}}})")),
          {}),
      std::chrono::milliseconds(100));
  REQUIRE(reply);
  const json content = json::parse(text_of(json::parse(reply->json)));
  CHECK(content["code"] == "NODE_NOT_FOUND");
  CHECK(content["message"] == "not there after 700 ms");
  CHECK(parts == std::vector<double>{200, 200, 200, 100});
}
