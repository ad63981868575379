#pragma once
// Entries of `logcat -B`:
//
//   offset 0   u16  payload length        offset 12  u32  seconds
//   offset 2   u16  header size           offset 16  u32  nanoseconds
//   offset 4   i32  pid                   offset 20  u32  log id      header 24, 28
//   offset 8   u32  tid                   offset 24  u32  uid         header 28
// Header size 0 or 20 is v1, 24 is v2 or v3, 28 is v4; then the payload, for text logs:
//   u8 priority, tag NUL, message NUL

#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

// Views are valid until the next call of feed() or next() of their reader.
struct LogRecord {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint32_t sec = 0;
  std::uint32_t nsec = 0;
  std::uint32_t log_id = 0;  // 0 main, 1 radio, 2 events, 3 system, 4 crash, 5 stats, 6 security
  std::uint32_t uid = 0;
  char priority = '\0';  // V D I W E F S; '\0' for the binary logs (events, stats, security)
  std::string_view tag{};
  std::string_view message{};

  bool operator==(const LogRecord&) const = default;
};

inline constexpr std::size_t kMaxLogPayload = 5120;  // what logd writes; readers take 65535

// Splits a byte stream into records. After an impossible header the reader searches for the next
// possible one. If there is none within 64 KiB, the error is `protocol`, and final.
class LogcatBinaryReader {
 public:
  void feed(ByteView bytes);
  Result<std::optional<LogRecord>> next();

  // Bytes that were dropped during the search for a header.
  [[nodiscard]] std::size_t skipped() const { return skipped_; }
  [[nodiscard]] std::size_t buffered() const { return queue_.size() - used_; }

 private:
  enum class Sync { kept, lost };

  bool find_header();

  ByteQueue queue_;
  std::size_t used_ = 0;  // bytes of the record returned last
  std::size_t skipped_ = 0;
  std::size_t skipped_in_a_row_ = 0;
  Sync sync_ = Sync::kept;
};

// Lines of `logcat -v threadtime -v epoch`:
//
//   1732226463.123  1234  5678 I Tag     : message
// A message of several lines is printed as several lines, each with its prefix.

// logd's longest record has 5 KiB; a stream without line breaks must not fill memory.
inline constexpr std::size_t kMaxLogLine = 65536;

// One line of an entry.
struct LogEntry {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  char priority = '\0';  // V D I W E F S; '\0' for a line that belongs to no entry
  std::string tag{};
  std::string message{};
  std::string time{};      // as printed
  bool continued = false;  // the rest of an overlong line that began in the previous entry

  bool operator==(const LogEntry&) const = default;
};

// Parses a line without its line break. nullopt: it is no line of an entry.
std::optional<LogEntry> parse_log_line(std::string_view line);

// Splits a byte stream into lines. Dividers ("--------- beginning of main") and empty lines are
// skipped. A line of another form becomes an entry of priority '\0' with the line as its message. A
// line above kMaxLogLine is returned in pieces; all but the first are `continued`.
class LogcatTextReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<LogEntry>> next();
  // At the end of the stream: the last line, if it has no line break.
  std::optional<LogEntry> finish();

  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }

 private:
  enum class Ending { line_break, cut };

  std::optional<LogEntry> read_line(std::string_view line, Ending ending);

  ByteQueue queue_;
  std::size_t scanned_ = 0;       // bytes without a line break
  std::optional<LogEntry> head_;  // of the overlong line in progress, without its message
};

}  // namespace adbproto
