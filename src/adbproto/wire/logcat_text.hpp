#pragma once
// Lines of logcat's text formats:
//
//   brief       I/Tag     ( 1234): message
//   tag         I/Tag     : message
//   time        11-21 22:01:03.123 I/Tag     ( 1234): message
//   threadtime  11-21 22:01:03.123  1234  5678 I Tag     : message
//   epoch       1732226463.123  1234  5678 I Tag     : message      (threadtime -v epoch)
// A message of several lines is printed as several lines, each with its prefix.

#include <cstddef>
#include <optional>
#include <string_view>

#include "adbproto/wire/logcat_entry.hpp"
#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class LogFormat { brief, tag, time, threadtime, epoch, automatic };

inline constexpr std::size_t kMaxLogLine = 65536;

// One line without its line break. nullopt: not a line of that format. `automatic` takes the most
// specific format that fits.
std::optional<LogEntry> parse_log_line(std::string_view line,
                                       LogFormat format = LogFormat::automatic);

// The line logcat would print, without a line break. `automatic` prints threadtime.
std::string format_log_line(const LogEntry& entry, LogFormat format);

// Cuts a byte stream into lines. Dividers ("--------- beginning of main") and empty lines are
// skipped; a line in another format becomes an entry of priority '\0' with the line as message.
// A line above kMaxLogLine comes in pieces, all but the first `continued`.
class LogcatTextReader {
 public:
  explicit LogcatTextReader(LogFormat format = LogFormat::automatic) : format_(format) {}

  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<LogEntry>> next();
  // At the end of the stream: the last line if it had no line break.
  std::optional<LogEntry> finish();

  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }

 private:
  enum class Ending { line_break, cut };

  std::optional<LogEntry> read_line(std::string_view line, Ending ending);

  LogFormat format_;
  ByteQueue queue_;
  std::size_t scanned_ = 0;       // bytes known to hold no line break
  std::optional<LogEntry> head_;  // of the overlong line being cut, without its message
};

}  // namespace adbproto
