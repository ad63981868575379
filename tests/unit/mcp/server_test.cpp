// Methods of the protocol over an executor without a phone; tests/contract/mcp has those that reach
// a device.
#include "runtime/mcp/server.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/async/memory_budget.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/mcp/message.hpp"
#include "support/manual_time.hpp"
#include "unit/mcp/bench.hpp"

using namespace clawperator;
using namespace clawperator::mcp;
using namespace clawperator::mcp_test;
using nlohmann::json;

TEST_CASE("mcp server: a client that shakes hands gets its version, or our newest of that era") {
  Bench bench;
  const auto greet = [&](const std::string& version) {
    return bench.ask(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + version +
        R"(","capabilities":{},"clientInfo":{"name":"x","version":"1"}}})")["result"];
  };
  for (const auto version : legacy_versions()) {
    CHECK(greet(std::string(version))["protocolVersion"] == version);
  }
  const json greeting = greet("1999-01-01");
  CHECK(greeting["protocolVersion"] == legacy_versions().front());
  CHECK(greeting["capabilities"] == json{{"tools", json::object()}});
  CHECK(greeting["serverInfo"]["name"] == "clawperator");
  CHECK(greeting["instructions"] == guide());
}

TEST_CASE("mcp server: methods of the other era are unknown") {
  Bench bench;
  const std::string meta =
      R"("params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}})";
  const auto modern = [&](const std::string& method) {
    return bench.ask(R"({"jsonrpc":"2.0","id":1,"method":")" + method + "\"," + meta + "}");
  };
  CHECK(modern("initialize")["error"]["code"] == -32601);
  CHECK(modern("ping")["error"]["code"] == -32601);
  const json found = modern("server/discover")["result"];
  CHECK(found["supportedVersions"][0] == "2026-07-28");
  CHECK(found["ttlMs"].is_number());
  CHECK(found["cacheScope"] == "public");
  CHECK(modern("tools/list")["result"]["cacheScope"] == "public");
  CHECK_FALSE(
      bench.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")["result"].contains("ttlMs"));
  CHECK(bench.ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})")["error"]["code"] ==
        -32601);
}

namespace {

Task<std::string> echo(std::shared_ptr<const Json> params) {
  const std::string* word = string_value(find_member(*params, "word"));
  if (!word) co_return fail(errc::usage, "word must be a text");
  if (*word == "throw") throw std::runtime_error("x");
  if (*word == "fail") co_return fail(errc::io, "the disk is gone");
  co_return R"({"word":")" + *word + "\"}";
}

constexpr MethodRow kEcho[] = {{"echo/word", echo, 100}};

}  // namespace

TEST_CASE("mcp server: methods of other modules are answered beside ours, in both eras") {
  Bench bench;
  bench.more = {.methods = kEcho, .capabilities = R"("echo":{})"};
  const auto echoed = [&](const std::string& members) {
    return bench.ask(R"({"jsonrpc":"2.0","id":1,"method":"echo/word","params":{)" + members + "}}");
  };
  CHECK(echoed(R"("word":"a")")["result"] == json{{"word", "a"}});
  const std::string meta =
      R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";
  CHECK(echoed(R"("word":"a")" + meta)["result"]["resultType"] == "complete");
  CHECK(echoed("")["error"] == json{{"code", -32602}, {"message", "word must be a text"}});
  CHECK(echoed(R"("word":"fail")")["error"] ==
        json{{"code", -32603}, {"message", "the disk is gone"}});
  CHECK(echoed(R"("word":"throw")")["error"]["code"] == -32603);
  const json greeting = bench.ask(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})")["result"];
  CHECK(greeting["capabilities"] == json{{"tools", json::object()}, {"echo", json::object()}});
  MemoryBudget::of(bench.loop.executor()).set_limit(99);
  CHECK(echoed(R"("word":"a")")["error"]["code"] == -32603);
}

TEST_CASE("mcp server: the list of tools has one page") {
  Bench bench;
  CHECK(bench.ask(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}})")["error"]
                                                                                        ["code"] ==
        -32602);
}

TEST_CASE("mcp server: a call that names no tool is a fault, one with wrong arguments an answer") {
  Bench bench;
  CHECK(bench.call("{}")["error"]["code"] == -32602);
  CHECK(bench.call(R"({"name":"fly"})")["error"]["message"] == "there is no tool 'fly'");
  CHECK(bench.call(R"({"name":"tap","arguments":[]})")["error"]["code"] == -32602);
  const json wrong = bench.call(R"({"name":"tap","arguments":{"x":"left"}})");
  CHECK(wrong["result"]["isError"] == true);
  CHECK(json::parse(text_of(wrong))["code"] == "USAGE");
  CHECK(bench.requests.empty());
}

TEST_CASE("mcp server: a tool that acts sends one plan: the action, a pause, and the look") {
  Bench bench;
  bench.outcome = success();
  bench.call(R"({"name":"tap","arguments":{"x":1,"y":2,"settle_ms":250}})");
  REQUIRE(bench.requests.size() == 1);
  const auto& actions = bench.requests[0].execution.actions;
  REQUIRE(actions.size() == 3);
  CHECK(actions[0].type() == ActionType::click);
  CHECK(actions[1].type() == ActionType::sleep);
  CHECK(actions[2].type() == ActionType::snapshot_ui);
  bench.call(R"({"name":"tap","arguments":{"x":1,"y":2,"observe":"none"}})");
  CHECK(bench.requests.back().execution.actions.size() == 1);
}

TEST_CASE("mcp server: what was done stays done where the screen cannot be read") {
  Bench bench;
  bench.outcome = success();
  const json reply = bench.call(R"({"name":"tap","arguments":{"x":1,"y":2}})");
  CHECK_FALSE(reply["result"].contains("isError"));
  CHECK(text_of(reply).starts_with(R"({"ok":true,"device":"phone"})"));
  CHECK(text_of(reply).find("the screen could not be read") != std::string::npos);
}

TEST_CASE(
    "mcp server: an error of the engine is an answer with its code and what may have happened") {
  Bench bench;
  bench.outcome = fail(errc::result_envelope_timeout, "no answer");
  const json reply = bench.call(R"({"name":"tap","arguments":{"x":1,"y":2}})");
  CHECK(reply["result"]["isError"] == true);
  CHECK(json::parse(text_of(reply))["ok"] == false);
  CHECK(json::parse(text_of(reply))["code"] == "RESULT_ENVELOPE_TIMEOUT");
  CHECK_FALSE(reply["result"].contains("structuredContent"));  // some hosts then drop the text
}

TEST_CASE("mcp server: a miss looks at the screen; any other failure does not") {
  Bench bench;
  ExecuteResult missed;
  missed.envelope.error = "No UI node found matching criteria: x";
  bench.outcome = missed;
  const json miss = bench.call(R"({"name":"tap","arguments":{"selector":{"text":"x"}}})");
  CHECK(json::parse(text_of(miss))["code"] == "NODE_NOT_FOUND");
  CHECK(bench.requests.size() == 2);
  bench.requests.clear();
  ExecuteResult failed;
  failed.envelope.error = "Something else";
  failed.envelope.error_code = "NODE_NOT_CLICKABLE";
  bench.outcome = failed;
  const json other = bench.call(R"({"name":"tap","arguments":{"selector":{"text":"x"}}})");
  CHECK(json::parse(text_of(other))["code"] == "NODE_NOT_CLICKABLE");
  CHECK(bench.requests.size() == 1);
}

TEST_CASE("mcp server: progress goes to the client that gives a token, in numbers that grow") {
  Bench bench;
  bench.outcome = success();
  const std::string arguments = R"("name":"tap","arguments":{"x":1,"y":2})";
  bench.call("{" + arguments + "}");
  CHECK(bench.notifications.empty());
  bench.call("{" + arguments + R"(,"_meta":{"progressToken":{}}})");
  CHECK(bench.notifications.empty());
  bench.call("{" + arguments + R"(,"_meta":{"progressToken":"t"}})");
  REQUIRE(bench.notifications.size() == 1);
  CHECK(bench.notifications[0]["method"] == "notifications/progress");
  CHECK(bench.notifications[0]["params"] ==
        json{{"progressToken", "t"}, {"progress", 1}, {"message", "click: found"}});
}

TEST_CASE("mcp server: a call names its device; a wrong plan reaches none") {
  Bench bench;
  bench.outcome = success();
  bench.call(R"({"name":"press_key","arguments":{"key":"back","device":"other"}})");
  REQUIRE(bench.requests.size() == 1);
  CHECK(bench.requests[0].target.device == "other");
  bench.call(R"({"name":"execute","arguments":{"actions":[{"id":"a","type":"fly"}]}})");
  bench.call(R"({"name":"execute","arguments":{"actions":[]}})");
  bench.call(R"({"name":"execute","arguments":{}})");
  bench.call(R"({"name":"execute","arguments":{"actions":[{}],"handle":"x"}})");
  bench.call(R"({"name":"execute","arguments":{"handle":"x"}})");
  CHECK(bench.requests.size() == 1);
}

TEST_CASE("mcp server: devices that can be used, where those are wanted") {
  Bench bench;
  bench.executor.on_devices = []() -> Task<std::vector<DeviceRow>> {
    co_return std::vector<DeviceRow>{{.serial = "a", .state = State::unauthorized},
                                     {.serial = "b", .state = State::device}};
  };
  const auto listed = [&](const std::string& arguments) {
    std::string list;
    const json answer =
        json::parse(text_of(bench.call(R"({"name":"devices","arguments":)" + arguments + "}")));
    for (const json& row : answer["devices"]) {
      list += row["device"].get<std::string>();
    }
    return list;
  };
  CHECK(listed("{}") == "ab");
  CHECK(listed(R"({"ready":false})") == "ab");
  CHECK(listed(R"({"ready":true})") == "b");
  CHECK(listed(R"("{\"ready\":\"true\"}")") == "b");
}

TEST_CASE("mcp server: an unforeseen exception is answered") {
  Bench bench;
  bench.executor.on_devices = []() -> Task<std::vector<DeviceRow>> {
    throw std::runtime_error("broken");
    co_return std::vector<DeviceRow>{};
  };
  const json devices = bench.call(R"({"name":"devices"})");
  CHECK(devices["error"]["code"] == -32603);
  CHECK(devices["id"] == 1);
  bench.executor.on_execute = [](ExecuteRequest) -> Task<ExecuteResult> {
    throw std::runtime_error("broken");
    co_return ExecuteResult{};
  };
  const json tap = bench.call(R"({"name":"tap","arguments":{"x":1,"y":2}})");
  CHECK(tap["result"]["isError"] == true);
  CHECK(json::parse(text_of(tap))["message"] == "internal error: broken");
}

TEST_CASE("mcp server: without a client of its own a ref needs its hash") {
  Bench bench;
  const auto complaint = [&] {
    return json::parse(text_of(bench.call(R"({"name":"tap","arguments":{"ref":"@3"}})")))["code"];
  };
  CHECK(complaint() == "USAGE");
  bench.defaults.seen.by = act::Seen::By::connection;
  bench.defaults.seen.shown = std::make_shared<PerDevice>();
  CHECK(complaint() == "STALE_REF");
  CHECK(bench.requests.empty());
}

TEST_CASE("mcp server: what was shown last is known of many devices, but not of any number") {
  PerDevice shown;
  for (int i = 0; i < 1000; ++i) {
    const std::string phone = "phone " + std::to_string(i);
    shown.note(phone, phone, "aaaaaaaaaaaa");
  }
  shown.note("mine", "usb:1-2", "bbbbbbbbbbbb");
  CHECK(shown.first_of({"yours", "mine"}) == "bbbbbbbbbbbb");
  CHECK(shown.of("usb:1-2") == "bbbbbbbbbbbb");
  CHECK_FALSE(shown.first_of({"yours"}));
  CHECK_FALSE(shown.first_of({}));
}

TEST_CASE("mcp server: a call has an end, and says that it may have been done") {
  adbproto::testing::ManualTime time;
  Bench bench;
  bench.executor.on_execute = [](ExecuteRequest request) -> Task<ExecuteResult> {
    CHECK(request.lock_patience < std::chrono::seconds(50));
    co_await adbproto::sleep_for(std::chrono::hours(1));
    co_return ExecuteResult{};
  };
  Server server(bench.loop.executor(), &bench.defaults);
  const auto reply = time.run(
      bench.loop,
      Bench::answer(
          &server,
          std::get<Message>(read_message(
              R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tap","arguments":{"x":1,"y":2}}})")),
          {}));
  REQUIRE(reply);
  CHECK(time.elapsed() <= std::chrono::seconds(51));
  const json error = json::parse(text_of(json::parse(reply->json)));
  CHECK(error["code"] == "COMMAND_TIMEOUT");
  CHECK(error["details"]["dispatchAttempted"] == true);
}

TEST_CASE("mcp server: what is done after a look is done on the device that was looked at") {
  Bench bench;
  bench.outcome = success_with_tree();
  const json reply = bench.call(
      R"({"name":"tap","arguments":{"selector":{"text":"Delete"},"nth":1,"observe":"none"}})");
  INFO(reply.dump());
  REQUIRE(bench.requests.size() == 2);
  CHECK_FALSE(bench.requests[0].target.device);
  CHECK(bench.requests[1].target.device == "phone");
  CHECK_FALSE(bench.requests[1].target.honour_android_serial);

  bench.call(
      R"({"name":"tap","arguments":{"selector":{"text":"Delete"},"nth":1,"observe":"none","device":"usb:1-2"}})");
  REQUIRE(bench.requests.size() == 4);
  CHECK(bench.requests[3].target.device == "usb:1-2");  // which may have a twin of that serial
}
