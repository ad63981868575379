#pragma once
// The NDJSON log: <folder>/clawperator-YYYY-MM-DD.log, one event a line, local date per event. Only
// this user may read the files (0600). Together they take 256 MiB at most: the oldest go first.
//   {"ts":"2026-11-21T22:01:03.123Z","level":"info","event":"envelope.received","message":"..",..}
// Payload texts and result data never come here, and kMask stands for secrets that are known or
// named (base/named_secrets.hpp). The first failure to write gives one warning on stderr; nothing
// else is affected. Each entry tries anew, and `log.resumed` contains how many a full disk has
// cost.

#include "base/json_text.hpp"
#include "base/secrets.hpp"

namespace clawperator {

enum class LogLevel { debug, info, warn, error };

std::optional<LogLevel> parse_log_level(std::string_view name);  // case-insensitive

struct EventLogOptions {
  std::string folder;  // empty: no file
  LogLevel level = LogLevel::info;
  bool to_stderr = false;  // --verbose: every event, debug included, also on stderr
  Secrets secrets{};       // no event shows them, under any name
};

class EventLog {
 public:
  // Touches no file until the first event that the level lets through.
  explicit EventLog(EventLogOptions options);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  [[nodiscard]] bool enabled(LogLevel level) const;
  // Where today's events are; nothing while no file is written.
  [[nodiscard]] std::optional<std::string> path() const;
  // No event from now on shows it.
  void keep_secret(std::string_view text) { options_.secrets.add(text); }
  // `members`: commandId, taskId, deviceId, status, durationMs, ... as far as known.
  void write(LogLevel level, std::string_view event, std::string_view message,
             const JsonObject& members = {});

 private:
  struct Sinks;
  [[nodiscard]] bool is_filed(LogLevel level) const;
  void note_loss(const std::string& problem);
  void report_loss();

  EventLogOptions options_;
  std::unique_ptr<Sinks> sinks_;  // made by the first event
  bool has_filed_ = false;
  std::int64_t lost_ = 0;  // entries since the last that was written
  bool warned_ = false;
};

}  // namespace clawperator
