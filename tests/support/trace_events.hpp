#pragma once
// A sink that keeps the events of a trace, and what a test asks of them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/trace/trace.hpp"

namespace clawperator::testing {

struct TraceEvents final : TraceSink {
  void add(std::string_view event) override { all.push_back(nlohmann::json::parse(event)); }

  // "B click", "X resolve", "i OPEN": of the row of that title, in the order of the calls.
  [[nodiscard]] std::vector<std::string> on_row(const std::string& title) const {
    std::vector<std::string> events;
    for (const auto& event : all) {
      const bool named = event["ph"] == "M";
      if (named || row_title(event["tid"]) != title) continue;
      std::string text = event["ph"];
      if (event.contains("name")) text += " " + std::string(event["name"]);
      events.push_back(std::move(text));
    }
    return events;
  }
  [[nodiscard]] std::string row_title(const nlohmann::json& row) const {
    for (const auto& event : all) {
      if (event["ph"] == "M" && event["name"] == "thread_name" && event["tid"] == row) {
        return event["args"]["name"];
      }
    }
    return {};
  }
  // The first of that name; null: there is none.
  [[nodiscard]] nlohmann::json find(const std::string& name) const {
    for (const auto& event : all) {
      if (event.value("name", "") == name && event["ph"] != "M") return event;
    }
    return {};
  }
  [[nodiscard]] std::string text() const { return nlohmann::json(all).dump(); }

  std::vector<nlohmann::json> all;
};

}  // namespace clawperator::testing
