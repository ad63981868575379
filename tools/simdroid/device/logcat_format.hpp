#pragma once
// The output of `logcat` for an entry: the text formats of -v, and the binary records of -B.
//
//   brief       I/Tag     ( 1234): text
//   tag         I/Tag     : text
//   raw         text
//   time        01-31 12:34:56.789 I/Tag     ( 1234): text
//   threadtime  01-31 12:34:56.789  1234  1240 I Tag     : text
//   long        [ 01-31 12:34:56.789  1234: 1240 I/Tag ]\ntext\n\n
//
// Every line of a message gets its own prefix. Modifiers: epoch, usec.

#include <optional>
#include <string>
#include <string_view>

#include "simdroid/device/log_buffer.hpp"

namespace simdroid {

enum class LogLayout : std::uint8_t { brief, tag, raw, time, threadtime, long_form };
enum class LogClock : std::uint8_t { calendar, epoch };

struct LogFormat {
  LogLayout layout = LogLayout::threadtime;
  LogClock clock = LogClock::calendar;
  int fraction_digits = 3;

  bool operator==(const LogFormat&) const = default;
};

// A value of `-v`: a layout or a modifier. False if there is no such value.
bool apply_format_word(LogFormat* format, std::string_view word);

// The time in the form that -v prints and -T accepts.
std::string format_log_time(WallTime time, const LogFormat& format);
// MM-DD with the time of the day, or seconds; each with a fraction.
struct LogInstant {
  WallTime time;
  std::string_view rest;  // of the text, behind the time
};
std::optional<LogInstant> parse_log_time(std::string_view text, WallTime now);

void append_log_text(std::string* out, const LogEntry& entry, const LogFormat& format);

// u16 payload size, u16 28, i32 pid, u32 tid, u32 sec, u32 nsec, u32 buffer, u32 uid, payload.
void append_log_record(std::string* out, const LogEntry& entry);

}  // namespace simdroid
