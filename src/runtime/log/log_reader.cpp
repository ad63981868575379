#include "runtime/log/log_reader.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMaxEvent = 16 << 20;  // above kMaxLogLine, which cuts a longer line before

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
  bool number(std::size_t count, int* into) {
    const std::string_view digits = rest_.substr(0, count);
    if (digits.size() < count || !std::ranges::all_of(digits, is_digit)) return false;
    *into = whole_number<int>(digits).value_or(0);
    rest_.remove_prefix(count);
    return true;
  }
  // The digits behind a decimal point, as milliseconds.
  std::optional<int> fraction() {
    int value = 0, scale = 100;
    bool any = false;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
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
  const bool whole = cursor.number(4, &moment.year) && cursor.take('-') &&
                     cursor.number(2, &moment.month) && cursor.take('-') &&
                     cursor.number(2, &moment.day);
  using namespace std::chrono;
  return whole && year_month_day(year(moment.year), month(static_cast<unsigned>(moment.month)),
                                 day(static_cast<unsigned>(moment.day)))
                      .ok();
}

bool read_time(Cursor& cursor, Moment& moment) {
  const bool whole = cursor.number(2, &moment.hour) && cursor.take(':') &&
                     cursor.number(2, &moment.minute) && moment.hour <= 23 && moment.minute <= 59;
  if (!whole || !cursor.take(':')) return whole;
  if (!cursor.number(2, &moment.second) || moment.second > 60) return false;
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
  int hours = 0, minutes = 0;
  if (!cursor.number(2, &hours)) return false;
  cursor.take(':');
  if (!cursor.number(2, &minutes) || hours > 23 || minutes > 59) return false;
  moment.zone_minutes = (east ? 1 : -1) * (hours * 60 + minutes);
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
  const auto count = whole_number<std::int64_t>(text.substr(0, text.size() - 1));
  constexpr std::int64_t kMost = 1'000'000;  // a million weeks still fit 64 bits as milliseconds
  if (!count || *count < 0 || *count > kMost) return std::nullopt;
  constexpr std::pair<char, std::chrono::seconds> kUnits[] = {
      {'s', std::chrono::seconds(1)}, {'m', std::chrono::minutes(1)}, {'h', std::chrono::hours(1)},
      {'d', std::chrono::days(1)},    {'w', std::chrono::weeks(1)},
  };
  for (const auto& [name, unit] : kUnits) {
    if (text.back() == name) return unit * *count;
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

namespace {

constexpr std::size_t kBlock = 64 * 1024;
constexpr std::size_t kBeginning = 1024;
constexpr std::string_view kPrefix = "clawperator-";
constexpr std::string_view kPattern = "clawperator-dddd-dd-dd.log";

std::string too_long(std::string_view beginning, std::size_t size) {
  return JsonObject()
      .text("level", "warn")
      .text("event", "log.line_too_long")
      .text("message", "a line of " + std::to_string(size) + " bytes is left out")
      .text("beginning", beginning.substr(0, kBeginning))
      .str();
}

}  // namespace

std::string log_file_name(std::string_view day) {
  return std::string(kPrefix) + std::string(day) + ".log";
}

bool is_log_file_name(std::string_view name) {
  if (name.size() != kPattern.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (kPattern[i] == 'd' ? !is_digit(name[i]) : name[i] != kPattern[i]) return false;
  }
  return true;
}

LogReader::LogReader(std::string folder, std::string_view first_day, Day today)
    : folder_(std::move(folder)), first_name_(log_file_name(first_day)), today_(std::move(today)) {}

bool LogReader::read(std::vector<std::string>& lines) {
  if (!file_ && !open_next()) return false;
  std::array<char, kBlock> block{};
  const ssize_t size = ::pread(::fileno(file_.get()), block.data(), block.size(), offset_);
  if (size > 0) {
    offset_ += size;
    take({block.data(), static_cast<std::size_t>(size)}, lines);
    return true;
  }
  if (start_over()) return true;
  if (!open_next()) return false;
  finish(lines);  // of the file before
  return true;
}

void LogReader::finish(std::vector<std::string>& lines) {
  if (line_size_ == 0) return;
  lines.push_back(line_size_ > kMaxLogLine ? too_long(line_, line_size_) : line_);
  line_.clear();
  line_size_ = 0;
}

// After a truncation the rest of the old line is gone; a new file of the same name is read from its
// start.
bool LogReader::start_over() {
  struct stat opened{}, named{};
  if (::fstat(::fileno(file_.get()), &opened) != 0) return false;
  const bool replaced = ::stat(path_of(name_).c_str(), &named) == 0 &&
                        (named.st_ino != opened.st_ino || named.st_dev != opened.st_dev);
  if (!replaced && opened.st_size >= offset_) return false;
  line_.clear();
  line_size_ = 0;
  if (replaced) return open(name_);
  offset_ = 0;
  return true;
}

bool LogReader::open(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_of(name), error)) return false;
  std::unique_ptr<std::FILE, Close> file(std::fopen(path_of(name).c_str(), "re"));
  if (!file) return false;
  file_ = std::move(file);
  name_ = name;
  offset_ = 0;
  return true;
}

bool LogReader::open_next() {
  std::vector<std::string> names;
  const std::string last_name = log_file_name(today_());
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename().string();
    const bool later = name_.empty() ? name >= first_name_ : name > name_;
    if (later && name <= last_name && is_log_file_name(name)) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return std::ranges::any_of(names, [this](const std::string& name) { return open(name); });
}

void LogReader::take(std::string_view bytes, std::vector<std::string>& lines) {
  for (;;) {
    const auto end = bytes.find('\n');
    extend(bytes.substr(0, end));
    if (end == bytes.npos) return;
    finish(lines);
    bytes.remove_prefix(end + 1);
  }
}

void LogReader::extend(std::string_view bytes) {
  line_size_ += bytes.size();
  if (line_size_ <= kMaxLogLine) {
    line_ += bytes;
  } else {
    line_.resize(std::min(line_.size(), kBeginning));
    line_ += bytes.substr(0, kBeginning - line_.size());
  }
}

}  // namespace clawperator
