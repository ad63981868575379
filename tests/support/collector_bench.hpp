#pragma once
// What the Operator logs for the command cmd-7, and a collector that hears it.

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.hpp"
#include "runtime/engine/result_collector.hpp"
#include "support/print_result.hpp"
#include "support/timber.hpp"

namespace clawperator::testing {

inline constexpr std::string_view kId = "cmd-7";

inline std::string envelope(std::string_view id, std::string_view text = "x") {
  return "[Clawperator-Result] {\"commandId\":\"" + std::string(id) +
         "\",\"taskId\":\"t\",\"status\":\"success\",\"stepResults\":[{\"id\":\"s\","
         "\"actionType\":\"read_text\",\"success\":true,\"data\":{\"text\":" +
         quote_json(text) + "}}],\"error\":null}";
}

inline std::string xml(std::string_view inside) {
  return "<?xml version='1.0' ?>\n<hierarchy rotation=\"0\">\n" + std::string(inside) +
         "\n</hierarchy>";
}
inline std::string hierarchy(std::string_view inside) {
  return "[TaskScope] UI Hierarchy:\n" + xml(inside);
}

inline LogLine line(std::string_view message, std::int32_t pid = 100, std::int32_t tid = 101,
                    std::string_view tag = "D") {
  return {pid, tid, tag, message};
}

inline constexpr std::string_view kStart = "[Clawperator-Command] start commandId=cmd-7 taskId=t";

// The app in process 100 has begun with our command, unless `begun` says otherwise.
struct Collected {
  explicit Collected(std::size_t snapshots = 4, bool begun = true)
      : collector(std::string(kId), snapshots) {
    if (begun) log(kStart);
  }

  // As the app's logger writes it.
  void log(std::string_view message, std::int32_t pid = 100, std::int32_t tid = 101) {
    for (const std::string& entry : timber_entries(message)) {
      REQUIRE(collector.add(line(entry, pid, tid)));
    }
  }
  [[nodiscard]] std::string text() const {
    REQUIRE(collector.envelope());
    return *find_data(collector.envelope()->step_results.at(0).data, "text");
  }

  // The whole ones, once everything was logged.
  const std::vector<std::string>& hierarchies() {
    if (taken_) return *taken_;
    if (!collector.envelope()) log(envelope(kId));
    taken_.emplace();
    for (Hierarchy& found : collector.take_hierarchies()) {
      if (found.flaw == Flaw::none) taken_->push_back(std::move(found.text));
    }
    return *taken_;
  }

  ResultCollector collector;

 private:
  std::optional<std::vector<std::string>> taken_;
};

inline std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

inline std::string snapshot_envelope() {
  return "[Clawperator-Result] {\"commandId\":\"cmd-7\",\"taskId\":\"t\",\"status\":\"success\","
         "\"stepResults\":[{\"id\":\"s\",\"actionType\":\"snapshot_ui\",\"success\":true}],"
         "\"error\":null}";
}

}  // namespace clawperator::testing
