#pragma once
// A world, an Operator app on it, and what came out of it.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "unit/simdroid/ui_support.hpp"

namespace operator_test {

using namespace ui_test;
using Json = nlohmann::ordered_json;

inline std::string action(const std::string& type, const std::string& params = "{}",
                          const std::string& id = "a1") {
  return R"({"id":")" + id + R"(","type":")" + type + R"(","params":)" + params + "}";
}

inline std::string command(const std::string& actions, const std::string& id = "cmd-1",
                           int timeout_ms = 30000) {
  return R"({"commandId":")" + id + R"(","taskId":"task-1","source":"test",)" +
         R"("expectedFormat":"android-ui-automator","timeoutMs":)" + std::to_string(timeout_ms) +
         R"(,"actions":[)" + actions + "]}";
}

struct Bench {
  UiWorld world;
  FileMap files;
  OperatorApp app;
  std::vector<LogRecord> log;
  std::optional<Time> wake_at;
  Time now{};

  // Without a version 0.5.3, which most of these tests are about.
  explicit Bench(OperatorOptions options = {.version = "0.5.3"})
      : app(&world, &files, std::move(options)) {}

  void take(Progress progress) {
    log.insert(log.end(), progress.log.begin(), progress.log.end());
    wake_at = progress.wake_at;
  }
  void receive(const std::string& payload) { take(app.receive(payload, now)); }
  void advance(Duration by) {
    now += by;
    take(app.advance(now));
  }
  // From wake-up to wake-up until the app is idle.
  void finish() {
    while (wake_at) {
      now = std::max(now, *wake_at);
      take(app.advance(now));
    }
  }

  [[nodiscard]] std::vector<const LogRecord*> of_kind(LogKind kind) const {
    std::vector<const LogRecord*> found;
    for (const LogRecord& record : log) {
      if (record.kind == kind) found.push_back(&record);
    }
    return found;
  }
  // The only envelope so far.
  [[nodiscard]] Json envelope() const {
    const auto envelopes = of_kind(LogKind::envelope);
    REQUIRE(envelopes.size() == 1);
    const std::string prefix = app.names().line("Result", "");
    const std::string& message = envelopes.front()->message;
    REQUIRE(message.starts_with(prefix));
    return Json::parse(message.substr(prefix.size()));
  }
  [[nodiscard]] bool logged(std::string_view part) const {
    return std::any_of(log.begin(), log.end(), [part](const LogRecord& record) {
      return record.message.find(part) != std::string::npos;
    });
  }

  // Runs one action to its end and returns its step result.
  Json step(const std::string& type, const std::string& params = "{}") {
    log.clear();
    receive(command(action(type, params)));
    finish();
    const Json result = envelope();
    INFO(result.dump());
    REQUIRE(result["status"] == "success");
    REQUIRE(result["stepResults"].size() == 1);
    return result["stepResults"][0];
  }
  // Runs one action that must end the plan, and returns the reason.
  std::string failure(const std::string& type, const std::string& params = "{}") {
    log.clear();
    receive(command(action(type, params)));
    finish();
    const Json result = envelope();
    INFO(result.dump());
    REQUIRE(result["status"] == "failed");
    CHECK(result["stepResults"].empty());
    return result["error"].get<std::string>();
  }
};

}  // namespace operator_test
