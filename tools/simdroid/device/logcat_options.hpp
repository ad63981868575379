#pragma once
// The command line of `logcat` as Android reads it (the part that hosts use).

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simdroid/device/logcat_format.hpp"

namespace simdroid {

enum class LogcatAction : std::uint8_t { print, clear, resize, print_sizes };
enum class LogcatEnd : std::uint8_t { follow, stop_at_end };

struct LogcatFilter {
  std::string tag;  // "*" for every tag without a rule of its own
  LogPriority at_least = LogPriority::verbose;
};

struct LogcatOptions {
  LogcatAction action = LogcatAction::print;
  LogcatEnd end = LogcatEnd::follow;
  std::size_t buffer_size = 0;  // bytes, of resize
  LogFormat format;
  bool binary = false;
  std::optional<std::size_t> tail;  // the last N entries
  std::optional<WallTime> since;    // the beginning; entries after it need no check
  std::string warning;
  std::optional<std::size_t> max_count;
  std::optional<std::int32_t> pid;
  std::string regex;
  std::set<LogBufferId> buffers{LogBufferId::main, LogBufferId::system, LogBufferId::crash};
  std::vector<LogcatFilter> filters;

  [[nodiscard]] bool wants(const LogEntry& entry) const;
};

// The error's message is the text that logcat prints before it exits with 1.
Result<LogcatOptions> parse_logcat_options(const std::vector<std::string>& args, WallTime now);

}  // namespace simdroid
