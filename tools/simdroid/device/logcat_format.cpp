#include "simdroid/device/logcat_format.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <vector>

namespace simdroid {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::nanoseconds;
using std::chrono::seconds;

template <class... Values>
std::string printf_text(const char* pattern, Values... values) {
  std::array<char, 256> text{};
  const int size = std::snprintf(text.data(), text.size(), pattern, values...);
  return {text.data(), std::min(text.size() - 1, static_cast<std::size_t>(std::max(size, 0)))};
}

std::string fraction(WallTime time, int digits) {
  const auto nanos = (time - floor<seconds>(time)).count();
  return printf_text("%09lld", static_cast<long long>(nanos))
      .substr(0, static_cast<std::size_t>(digits));
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

struct Decoration {
  std::string prefix;
  std::string suffix = "\n";
};

Decoration decoration(const LogEntry& entry, const LogFormat& format) {
  const char priority = letter(entry.priority);
  const std::string tag = padded(entry.tag, 8);
  const auto pid = entry.pid;
  const auto tid = static_cast<int>(entry.tid);
  switch (format.layout) {
    case LogLayout::brief:
      return {printf_text("%c/", priority) + tag + printf_text("(%5d): ", pid)};
    case LogLayout::tag: return {printf_text("%c/", priority) + tag + ": "};
    case LogLayout::raw: return {};
    case LogLayout::time:
      return {format_log_time(entry.time, format) + printf_text(" %c/", priority) + tag +
              printf_text("(%5d): ", pid)};
    case LogLayout::threadtime:
      return {format_log_time(entry.time, format) +
              printf_text(" %5d %5d %c ", pid, tid, priority) + tag + ": "};
    case LogLayout::long_form:
      return {"[ " + format_log_time(entry.time, format) +
                  printf_text(" %5d:%5d %c/", pid, tid, priority) + tag + " ]\n",
              "\n\n"};
  }
  return {};
}

std::optional<int> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  if (at + count > text.size()) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + at + count, value);
  if (error != std::errc() || end != text.data() + at + count || text[at] == '-')
    return std::nullopt;
  return value;
}

// ".789": at most nine digits count. The rest stays in `text`.
std::optional<nanoseconds> take_fraction(std::string_view* text) {
  if (text->size() < 2 || text->front() != '.' || (*text)[1] < '0' || (*text)[1] > '9') {
    return std::nullopt;
  }
  text->remove_prefix(1);
  long long nanos = 0;
  for (long long unit = 100'000'000; !text->empty(); text->remove_prefix(1), unit /= 10) {
    const char digit = text->front();
    if (digit < '0' || digit > '9') break;
    nanos += (digit - '0') * unit;
  }
  return nanoseconds(nanos);
}

// "HH:MM:SS.mmm"
std::optional<nanoseconds> take_time_of_day(std::string_view* text) {
  constexpr std::size_t kSize = 8;
  const auto hour = digits_at(*text, 0, 2);
  const auto minute = digits_at(*text, 3, 2);
  const auto second = digits_at(*text, 6, 2);
  if (!hour || !minute || !second || (*text)[2] != ':' || (*text)[5] != ':') return std::nullopt;
  text->remove_prefix(kSize);
  const auto rest = take_fraction(text);
  if (!rest || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute) + seconds(*second) + *rest;
}

// "SECONDS.FRACTION"
std::optional<WallTime> take_epoch(std::string_view* text) {
  const std::size_t dot = std::min(text->find('.'), text->size());
  long long whole = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + dot, whole);
  if (dot == 0 || error != std::errc() || end != text->data() + dot || whole < 0)
    return std::nullopt;
  if (whole > 9'000'000'000) return std::nullopt;
  text->remove_prefix(dot);
  const auto rest = take_fraction(text);
  if (!rest) return std::nullopt;
  return WallTime(seconds(whole) + *rest);
}

// "MM-DD HH:MM:SS.FRACTION"
std::optional<WallTime> take_date(std::string_view* text, int year) {
  constexpr std::size_t kDate = 6;
  const auto month = digits_at(*text, 0, 2);
  const auto day = digits_at(*text, 3, 2);
  if (!month || !day || text->size() < kDate || (*text)[2] != '-' || (*text)[5] != ' ') {
    return std::nullopt;
  }
  text->remove_prefix(kDate);
  const auto time = take_time_of_day(text);
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!time || !date.ok()) return std::nullopt;
  return WallTime(std::chrono::sys_days(date) + *time);
}

}  // namespace

bool apply_format_word(LogFormat* format, std::string_view word) {
  struct Layout {
    std::string_view word;
    LogLayout layout;
  };
  static constexpr std::array<Layout, 6> kLayouts{{{"brief", LogLayout::brief},
                                                   {"tag", LogLayout::tag},
                                                   {"raw", LogLayout::raw},
                                                   {"time", LogLayout::time},
                                                   {"threadtime", LogLayout::threadtime},
                                                   {"long", LogLayout::long_form}}};
  for (const Layout& row : kLayouts) {
    if (row.word != word) continue;
    format->layout = row.layout;
    return true;
  }
  if (word == "epoch") format->clock = LogClock::epoch;
  if (word == "usec") format->fraction_digits = 6;
  return word == "epoch" || word == "usec";
}

std::string format_log_time(WallTime time, const LogFormat& format) {
  const std::string rest = "." + fraction(time, format.fraction_digits);
  const auto whole = floor<seconds>(time);
  if (format.clock == LogClock::epoch) {
    return printf_text("%19lld", static_cast<long long>(whole.time_since_epoch().count())) + rest;
  }
  const auto day = floor<days>(whole);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(whole - day);
  return printf_text("%02u-%02u %02d:%02d:%02d", static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                     static_cast<int>(clock.minutes().count()),
                     static_cast<int>(clock.seconds().count())) +
         rest;
}

std::optional<LogInstant> parse_log_time(std::string_view text, WallTime now) {
  const int this_year = static_cast<int>(std::chrono::year_month_day(floor<days>(now)).year());
  std::string_view rest = text;
  if (const auto time = take_date(&rest, this_year)) return LogInstant{*time, rest};
  rest = text;
  if (const auto time = take_epoch(&rest)) return LogInstant{*time, rest};
  return std::nullopt;
}

void append_log_text(std::string* out, const LogEntry& entry, const LogFormat& format) {
  const Decoration around = decoration(entry, format);
  std::string_view rest = entry.message;
  if (format.layout == LogLayout::long_form) {
    *out += around.prefix + entry.message + around.suffix;
    return;
  }
  while (!rest.empty()) {
    const std::size_t line = std::min(rest.find('\n'), rest.size());
    *out += around.prefix;
    *out += rest.substr(0, line);
    *out += around.suffix;
    rest.remove_prefix(std::min(line + 1, rest.size()));
  }
}

void append_log_record(std::string* out, const LogEntry& entry) {
  Bytes record;
  const auto since_epoch = entry.time.time_since_epoch();
  const auto whole = std::chrono::floor<seconds>(since_epoch);
  append_le(record, static_cast<std::uint16_t>(entry.tag.size() + entry.message.size() + 3));
  append_le(record, std::uint16_t{28});
  append_le(record, entry.pid);
  append_le(record, entry.tid);
  append_le(record, static_cast<std::uint32_t>(whole.count()));
  append_le(record, static_cast<std::uint32_t>((since_epoch - whole).count()));
  append_le(record, static_cast<std::uint32_t>(entry.buffer));
  append_le(record, entry.uid);
  *out += as_text(record);
  *out += static_cast<char>(entry.priority);
  out->append(entry.tag).push_back('\0');
  out->append(entry.message).push_back('\0');
}

}  // namespace simdroid
