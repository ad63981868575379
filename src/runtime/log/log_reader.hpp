#pragma once
// Reads the log again: filters its lines, and follows new ones.

#include <cstdio>

#include "base/error.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

using LogTime = std::chrono::sys_time<std::chrono::milliseconds>;

struct LogFilter {
  std::optional<LogLevel> at_least{};
  std::optional<LogTime> since{};
  std::string command_id{};  // empty: any

  // Without a condition every line passes; with one, only events that have the requested values.
  [[nodiscard]] bool lets_through(std::string_view line) const;
};

// 2026-11-22, 2026-11-22T08:00, 2026-11-22T08:00:01.5Z, ...+02:00; without a zone it is local time.
std::optional<LogTime> parse_timestamp(std::string_view text);

// A timestamp, or how long ago: 30s, 10m, 2h, 1d, 1w. usage for anything else.
Result<LogTime> parse_since(std::string_view text, LogTime now);

// The local day of `time`: "2026-11-22".
std::string local_day(LogTime time);

// Reads the log's lines from the files, day after day, and the new ones: over midnight into the
// next file, again from the start of a file that was truncated or replaced. adbproto::FolderWatch
// reports when to read.
//
// A longer line is given as {"level":"warn","event":"log.line_too_long",..} with its beginning.
inline constexpr std::size_t kMaxLogLine = 1 << 20;

// "clawperator-2026-11-22.log"
std::string log_file_name(std::string_view day);
bool is_log_file_name(std::string_view name);

class LogReader {
 public:
  using Day = std::function<std::string()>;
  // From the file of `first_day` on. A file dated later than `today` is not read before that day:
  // its writer had another clock, and new lines go into today's file.
  LogReader(std::string folder, std::string_view first_day, Day today);

  // Appends some more lines, without their line breaks; false when there is nothing more for now.
  // A line is given once it has ended.
  bool read(std::vector<std::string>& lines);
  // The last line, if its end is missing.
  void finish(std::vector<std::string>& lines);

  [[nodiscard]] bool found_any() const { return !name_.empty(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool open(const std::string& name);
  bool open_next();
  bool start_over();
  void take(std::string_view bytes, std::vector<std::string>& lines);
  void extend(std::string_view bytes);
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
  std::string first_name_;
  Day today_;
  std::string name_;  // of the file that is open, or was last
  std::unique_ptr<std::FILE, Close> file_;
  std::int64_t offset_ = 0;
  std::string line_;           // the beginning of a line that has not ended
  std::size_t line_size_ = 0;  // its whole size, when that is too much to keep
};

}  // namespace clawperator
