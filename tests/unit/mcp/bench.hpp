#pragma once
// A server over a fake executor: what tools would send, and the answers that tests lay out.

#include <catch2/catch.hpp>
#include <deque>
#include <nlohmann/json.hpp>

#include "runtime/mcp/message.hpp"
#include "runtime/mcp/server.hpp"
#include "support/fake_executor.hpp"
#include "support/run_task.hpp"

namespace clawperator::mcp_test {

using adbproto::testing::Loop;
using nlohmann::json;
using namespace clawperator::mcp;

struct Bench {
  Loop loop;
  clawperator::test::FakeExecutor executor;
  Defaults defaults;
  Additions more;
  std::vector<ExecuteRequest>& requests = executor.requests;
  std::vector<json> notifications;
  Result<ExecuteResult>& outcome = executor.outcome;
  std::deque<Result<ExecuteResult>>& outcomes = executor.outcomes;

  Bench() {
    defaults.executor = &executor;
    defaults.operator_package = "com.clawperator.operator";
  }

  json ask(std::string_view text, bool can_notify = true) {
    Server server(loop.executor(), &defaults, more);
    std::function<void(std::string)> notify;
    if (can_notify)
      notify = [this](const std::string& line) { notifications.push_back(json::parse(line)); };
    const auto reply = loop.run(answer(&server, std::get<Message>(read_message(text)), notify));
    REQUIRE(reply);
    return json::parse(reply->json);
  }

  json call(const std::string& params) {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" + params + "}");
  }

  static Task<Reply> answer(Server* server, Message request,
                            std::function<void(std::string)> notify) {
    Reply reply = co_await server->answer(std::move(request), std::move(notify));
    co_await server->stop();
    co_return reply;
  }
};

inline ExecuteResult success() {
  ExecuteResult result;
  result.device_id = "phone";
  result.envelope.status = EnvelopeStatus::success;
  result.envelope.step_results = {
      {.id = "a1", .action_type = "click", .success = true, .data = {}}};
  return result;
}

inline ExecuteResult success_with_tree() {
  ExecuteResult result = success();
  result.envelope.step_results.push_back(
      {.id = "look",
       .action_type = "snapshot_ui",
       .success = true,
       .data = {{"text",
                 "<hierarchy rotation=\"0\"><node index=\"0\" text=\"Delete\" resource-id=\"\" "
                 "class=\"android.widget.Button\" package=\"a.b\" content-desc=\"\" "
                 "clickable=\"true\" enabled=\"true\" bounds=\"[0,0][90,90]\"/></hierarchy>"}}});
  return result;
}

inline std::string text_of(const json& reply) { return reply["result"]["content"][0]["text"]; }

}  // namespace clawperator::mcp_test
