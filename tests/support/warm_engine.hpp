#pragma once
// The engine in a process that lives long: one phone, many executions over its open log.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/engine/device_session.hpp"
#include "support/engine_bench.hpp"

namespace clawperator::testing {

// The app's answer to a plan of one click.
inline std::string answer_to(const std::string& payload) {
  const std::string id = nlohmann::json::parse(payload).at("commandId");
  return "[Clawperator-Result] " + JsonObject()
                                       .text("commandId", id)
                                       .text("taskId", "t-1")
                                       .text("status", "success")
                                       .json("stepResults", "[" + step("a1", "click") + "]")
                                       .null("error")
                                       .str();
}

inline Task<void> stop_sessions(DeviceSessions* sessions) {
  co_await sessions->stop();
  co_return ok();
}

// A phone that answers every command, behind a process that stays.
struct Warm {
  Warm() {
    at.phone.on_broadcast = [this](const std::string& payload) {
      at.phone.log(answer_to(payload));
    };
    at.phone.prepare = [this](adbproto::testing::FakeDevice& device) {
      opened.push_back(device.opened());
    };
  }
  ~Warm() { end(); }
  void end() { [[maybe_unused]] const auto ended = at.time.run(at.loop, stop_sessions(&sessions)); }
  Warm(const Warm&) = delete;
  Warm& operator=(const Warm&) = delete;

  ExecuteRequest request(const std::string& id, std::string_view action = kClick) {
    ExecuteRequest request = EngineBench::request(action);
    request.execution.command_id = id;
    request.dispatch_ids = [id] { return id; };
    request.sessions = &sessions;
    return request;
  }
  adbproto::Result<ExecuteResult> run(const std::string& id, std::string_view action = kClick) {
    return at.run(request(id, action));
  }
  [[nodiscard]] std::ptrdiff_t asked(std::string_view verb) const {
    return std::ranges::count(at.phone.commands(), verb,
                              [](const auto& words) { return words.at(1); });
  }

  [[nodiscard]] std::ptrdiff_t logs() const {
    std::ptrdiff_t count = 0;
    for (const auto& services : opened) {
      count += std::ranges::count_if(*services, [](const std::string& service) {
        return service.starts_with("shell,v2,raw:read B");
      });
    }
    return count;
  }

  EngineBench at;
  ResolveDevice reopen = at.phone.resolve();
  DeviceSessions sessions{at.loop.executor(),
                          [this](TargetOptions target) { return reopen(std::move(target)); }};
  std::vector<std::shared_ptr<const std::vector<std::string>>> opened;  // of each device object
};

}  // namespace clawperator::testing
