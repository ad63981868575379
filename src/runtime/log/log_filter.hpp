#pragma once
// Which lines of the log somebody wants to see.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

using LogTime = std::chrono::sys_time<std::chrono::milliseconds>;

struct LogFilter {
  std::optional<LogLevel> at_least{};
  std::optional<LogTime> since{};
  std::string command_id{};  // empty: any

  // Without a condition every line passes; with one, only events that tell what it asks for.
  [[nodiscard]] bool lets_through(std::string_view line) const;
};

// 2026-11-22, 2026-11-22T08:00, 2026-11-22T08:00:01.5Z, ...+02:00; without a zone it is local time.
std::optional<LogTime> parse_timestamp(std::string_view text);

// A timestamp, or how long ago: 30s, 10m, 2h, 1d, 1w. usage for anything else.
Result<LogTime> parse_since(std::string_view text, LogTime now);

// The local day of `time`: "2026-11-22".
std::string local_day(LogTime time);

}  // namespace clawperator
