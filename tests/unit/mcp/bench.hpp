#pragma once
// A server whose hand does nothing: what tools would send, and the answers that tests lay out.

#include <catch2/catch.hpp>
#include <deque>
#include <nlohmann/json.hpp>

#include "runtime/engine/log_pieces.hpp"
#include "runtime/mcp/message.hpp"
#include "runtime/mcp/server.hpp"
#include "support/run_task.hpp"

namespace clawperator::mcp_test {

using adbproto::testing::Loop;
using nlohmann::json;
using namespace clawperator::mcp;

struct Bench {
  Loop loop;
  Hand hand;
  std::vector<ExecuteRequest> requests;
  std::vector<json> told;  // notifications
  Result<ExecuteResult> outcome = ExecuteResult{};
  // In their turn, before `outcome`.
  std::deque<Result<ExecuteResult>> outcomes;

  Bench() {
    hand.operator_package = "com.clawperator.operator";
    hand.devices = []() -> Task<std::vector<DeviceRow>> {
      co_return std::vector<DeviceRow>{{.serial = "phone"}};
    };
    hand.execute = [this](ExecuteRequest request) { return execute(std::move(request)); };
  }

  Task<ExecuteResult> execute(ExecuteRequest request) {
    if (request.on_stage) request.on_stage({.name = "found", .operation = "click", .detail = ""});
    requests.push_back(std::move(request));
    if (outcomes.empty()) co_return outcome;
    auto next = std::move(outcomes.front());
    outcomes.pop_front();
    co_return next;
  }

  json ask(std::string_view text, bool can_tell = true) {
    Server server(loop.executor(), &hand);
    std::function<void(std::string)> tell;
    if (can_tell) tell = [this](const std::string& line) { told.push_back(json::parse(line)); };
    const auto reply = loop.run(answer(&server, std::get<Message>(read_message(text)), tell));
    REQUIRE(reply);
    return json::parse(reply->json);
  }

  json call(const std::string& params) {
    return ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" + params + "}");
  }

  static Task<Reply> answer(Server* server, Message request,
                            std::function<void(std::string)> tell) {
    Reply reply = co_await server->answer(std::move(request), std::move(tell));
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
      {.id = "snap",
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
