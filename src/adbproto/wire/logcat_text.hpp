#pragma once
// Lines of `logcat -v threadtime -v epoch`:
//
//   1732226463.123  1234  5678 I Tag     : message
// A message of several lines is printed as several lines, each with its prefix.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kMaxLogLine = 65536;

// One line of an entry.
struct LogEntry {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  char priority = '\0';  // V D I W E F S; '\0' for a line that is none of an entry
  std::string tag{};
  std::string message{};
  std::string time{};      // as printed
  bool continued = false;  // the rest of an overlong line whose beginning was the entry before

  bool operator==(const LogEntry&) const = default;
};

// A line without its line break. nullopt: not a line of an entry.
std::optional<LogEntry> parse_log_line(std::string_view line);

// Cuts a byte stream into lines. Dividers ("--------- beginning of main") and empty lines are
// skipped; a line of another shape becomes an entry of priority '\0' with the line as message.
// A line above kMaxLogLine comes in pieces, all but the first `continued`.
class LogcatTextReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<LogEntry>> next();
  // At the end of the stream: the last line if it had no line break.
  std::optional<LogEntry> finish();

  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }

 private:
  enum class Ending { line_break, cut };

  std::optional<LogEntry> read_line(std::string_view line, Ending ending);

  ByteQueue queue_;
  std::size_t scanned_ = 0;       // bytes known to hold no line break
  std::optional<LogEntry> head_;  // of the overlong line being cut, without its message
};

}  // namespace adbproto
