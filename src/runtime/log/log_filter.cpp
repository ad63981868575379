#include "runtime/log/log_filter.hpp"

#include <array>
#include <charconv>
#include <ctime>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMaxEvent = 16 << 20;

class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits.
  std::optional<int> number(std::size_t count) {
    int value = 0;
    if (rest_.size() < count) return std::nullopt;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  // What follows a decimal point, as milliseconds.
  std::optional<int> fraction() {
    int value = 0, scale = 100;
    bool any = false;
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; rest_.remove_prefix(1)) {
      any = true;
      value += (rest_.front() - '0') * scale;
      scale /= 10;
    }
    return any ? std::optional(value) : std::nullopt;
  }

 private:
  std::string_view rest_;
};

struct Moment {
  int year = 0, month = 0, day = 0;
  int hour = 0, minute = 0, second = 0, millisecond = 0;
  std::optional<int> zone_minutes{};  // east of UTC; absent: local
};

bool read_date(Cursor& cursor, Moment& moment) {
  const auto year = cursor.number(4);
  const bool first = cursor.take('-');
  const auto month = cursor.number(2);
  const bool second = cursor.take('-');
  const auto day = cursor.number(2);
  if (!year || !first || !month || !second || !day) return false;
  moment.year = *year;
  moment.month = *month;
  moment.day = *day;
  using namespace std::chrono;
  return year_month_day(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                        std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

bool read_time(Cursor& cursor, Moment& moment) {
  const auto hour = cursor.number(2);
  const bool colon = cursor.take(':');
  const auto minute = cursor.number(2);
  if (!hour || !colon || !minute || *hour > 23 || *minute > 59) return false;
  moment.hour = *hour;
  moment.minute = *minute;
  if (!cursor.take(':')) return true;
  const auto second = cursor.number(2);
  if (!second || *second > 60) return false;
  moment.second = *second;
  if (!cursor.take('.')) return true;
  const auto fraction = cursor.fraction();
  moment.millisecond = fraction.value_or(0);
  return fraction.has_value();
}

bool read_zone(Cursor& cursor, Moment& moment) {
  if (cursor.at_end()) return true;
  if (cursor.take('Z')) {
    moment.zone_minutes = 0;
    return true;
  }
  const bool east = cursor.take('+');
  if (!east && !cursor.take('-')) return false;
  const auto hours = cursor.number(2);
  cursor.take(':');
  const auto minutes = cursor.number(2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return false;
  moment.zone_minutes = (east ? 1 : -1) * (*hours * 60 + *minutes);
  return true;
}

std::optional<LogTime> time_of(const Moment& moment) {
  std::tm parts{};
  parts.tm_year = moment.year - 1900;
  parts.tm_mon = moment.month - 1;
  parts.tm_mday = moment.day;
  parts.tm_hour = moment.hour;
  parts.tm_min = moment.minute;
  parts.tm_sec = moment.second;
  parts.tm_isdst = -1;
  const std::time_t seconds = moment.zone_minutes ? ::timegm(&parts) : ::mktime(&parts);
  if (seconds == -1 && moment.year != 1969) return std::nullopt;
  return LogTime(std::chrono::seconds(seconds - moment.zone_minutes.value_or(0) * 60) +
                 milliseconds(moment.millisecond));
}

std::optional<milliseconds> parse_age(std::string_view text) {
  std::int64_t count = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
  constexpr std::int64_t kMost = 1'000'000;
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() - 1 || count < 0 ||
      count > kMost) {
    return std::nullopt;
  }
  constexpr std::pair<char, std::chrono::seconds> kUnits[] = {
      {'s', std::chrono::seconds(1)}, {'m', std::chrono::minutes(1)}, {'h', std::chrono::hours(1)},
      {'d', std::chrono::days(1)},    {'w', std::chrono::weeks(1)},
  };
  for (const auto& [name, unit] : kUnits) {
    if (text.back() == name) return unit * count;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LogTime> parse_timestamp(std::string_view text) {
  Cursor cursor(text);
  Moment moment;
  if (!read_date(cursor, moment)) return std::nullopt;
  if (!cursor.at_end()) {
    if (!cursor.take('T') && !cursor.take(' ')) return std::nullopt;
    if (!read_time(cursor, moment) || !read_zone(cursor, moment)) return std::nullopt;
  }
  return cursor.at_end() ? time_of(moment) : std::nullopt;
}

Result<LogTime> parse_since(std::string_view text, LogTime now) {
  if (const auto moment = parse_timestamp(text)) return *moment;
  if (const auto age = text.empty() ? std::nullopt : parse_age(text)) return now - *age;
  return fail(errc::usage,
              "--since must be a time such as 2026-11-22T08:00:00Z, or an age: 10m, 2h, 1d");
}

std::string local_day(LogTime time) {
  const std::time_t seconds =
      std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts{};
  std::array<char, 16> text{};
  ::localtime_r(&seconds, &parts);
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return text.data();
}

bool LogFilter::lets_through(std::string_view line) const {
  if (!at_least && !since && command_id.empty()) return true;
  const auto event = read_json(line, kMaxEvent);
  if (!event) return false;
  const auto member = [&](std::string_view name) {
    const std::string* text = string_value(find_member(*event, name));
    return text != nullptr ? *text : std::string();
  };
  if (!command_id.empty() && member("commandId") != command_id) return false;
  if (at_least) {
    const auto level = parse_log_level(member("level"));
    if (!level || *level < *at_least) return false;
  }
  if (!since) return true;
  const auto time = parse_timestamp(member("ts"));
  return time && *time >= *since;
}

}  // namespace clawperator
