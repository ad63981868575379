#pragma once
// The engine over a fake phone, in a home of its own and in manual time; every execution has the
// command id c-1, the task id t-1 and two seconds.
//
//   EngineBench at;
//   at.answers(result_line(step("a1", "click")));
//   auto result = at.run(kClick);

#include <stdexcept>
#include <string>
#include <vector>

#include "base/json_text.hpp"
#include "runtime/contract/parse.hpp"
#include "support/fake_phone.hpp"
#include "support/hex.hpp"
#include "support/manual_time.hpp"
#include "support/temp_folder.hpp"

namespace clawperator::testing {

inline std::string step(std::string_view id, std::string_view type, bool success = true,
                        std::string_view data = "{}") {
  return JsonObject()
      .text("id", id)
      .text("actionType", type)
      .boolean("success", success)
      .json("data", data)
      .str();
}

inline std::string result_line(std::string_view steps, std::string_view status = "success") {
  return "[Clawperator-Result] {\"commandId\":\"c-1\",\"taskId\":\"t-1\",\"status\":\"" +
         std::string(status) + "\",\"stepResults\":[" + std::string(steps) + "],\"error\":null}";
}

// What the app logs when it begins with the command.
inline constexpr std::string_view kBegun =
    "[Clawperator-Command] start commandId=c-1 taskId=t-1 source=test";

inline constexpr std::string_view kClick =
    R"({"id":"a1","type":"click","params":{"coordinate":{"x":1,"y":2}}})";

// One pixel.
inline std::string tiny_png() {
  const adbproto::Bytes bytes = adbproto::testing::from_hex(
      "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
      "0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082");
  return std::string(adbproto::as_text(bytes));
}

// A user's home of its own, and a phone.
struct EngineBench {
  explicit EngineBench(adbproto::FeatureSet features = {"shell_v2", "cmd"})
      : phone(loop, std::move(features)) {}

  static ExecuteRequest request(std::string_view actions) {
    auto execution = parse_execution(
        R"({"commandId":"c-1","taskId":"t-1","source":"test","expectedFormat":"android-ui-automator",)"
        R"("timeoutMs":2000,"actions":[)" +
        std::string(actions) + "]}");
    if (!execution) throw std::runtime_error(execution.error().message());
    ExecuteRequest request;
    request.execution = *std::move(execution);
    request.operator_package = "com.clawperator.operator";
    request.broadcast_action = "app.clawperator.operator.ACTION_AGENT_COMMAND";
    request.dispatch_ids = [] { return std::string("c-1"); };
    return request;
  }

  Task<ExecuteResult> execute(ExecuteRequest request) {
    return clawperator::execute(std::move(request), nullptr, phone.resolve());
  }
  adbproto::Result<ExecuteResult> run(ExecuteRequest request) {
    request.on_warning = [this](std::string_view warning) { warnings.emplace_back(warning); };
    return time.run(loop, execute(std::move(request)), std::chrono::milliseconds(20));
  }
  adbproto::Result<ExecuteResult> run(std::string_view actions) { return run(request(actions)); }
  // What the Operator logs when it gets the payload.
  void answers(std::string message) {
    phone.on_broadcast = [this, message](const std::string&) { phone.log(message); };
  }

  std::vector<std::string> warnings;
  adbproto::testing::ManualTime time;
  adbproto::testing::TempFolder home;
  adbproto::testing::Variable variables[5] = {{"HOME", home.path().string()},
                                              {"XDG_CACHE_HOME", home.file("cache")},
                                              {"XDG_RUNTIME_DIR", home.path().string()},
                                              {"CLAWPERATOR_LOCK_DIR", home.path().string()},
                                              {"TMPDIR", home.path().string()}};
  adbproto::testing::Loop loop;
  FakePhone phone;
};

}  // namespace clawperator::testing
