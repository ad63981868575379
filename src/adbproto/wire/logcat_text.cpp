#include "adbproto/wire/logcat_text.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::string_view kPriorities = "VDIWEFS";

// Reads a line from the left; every take_* leaves the rest untouched when it does not fit.
class LineScanner {
 public:
  explicit LineScanner(std::string_view line) : rest_(line) {}

  [[nodiscard]] std::string_view rest() const { return rest_; }

  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<std::int32_t> take_number() {
    std::int32_t value = 0;
    if (rest_.empty() || !is_digit(rest_.front())) return std::nullopt;
    const auto [after, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failed != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(after - rest_.data()));
    return value;
  }

  std::optional<char> take_priority() {
    if (rest_.empty() || kPriorities.find(rest_.front()) == kPriorities.npos) return std::nullopt;
    const char priority = rest_.front();
    rest_.remove_prefix(1);
    return priority;
  }

  // Text shaped like `pattern`, in which '0' stands for a digit; the word must end there.
  std::optional<std::string_view> take_shape(std::string_view pattern) {
    if (rest_.size() < pattern.size()) return std::nullopt;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const bool fits = pattern[i] == '0' ? is_digit(rest_[i]) : rest_[i] == pattern[i];
      if (!fits) return std::nullopt;
    }
    return take_size(pattern.size());
  }

  [[nodiscard]] std::size_t digits() const {
    return std::min(rest_.find_first_not_of("0123456789"), rest_.size());
  }

  std::string_view take_size(std::size_t size) {
    const auto taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }

 private:
  std::string_view rest_;
};

enum class Stamp { calendar, epoch };

// "[2024-]11-21 22:01:03.123[456789]", perhaps followed by " +0100".
bool read_calendar(LineScanner& scanner) {
  scanner.take_shape("0000-");
  if (!scanner.take_shape("00-00 00:00:00.") || scanner.digits() < 3) return false;
  scanner.take_size(scanner.digits());
  LineScanner zone = scanner;
  if (zone.take_shape(" +0000 ") || zone.take_shape(" -0000 ")) {
    scanner.take_size(std::string_view(" +0000").size());
  }
  return true;
}

bool read_epoch(LineScanner& scanner) {
  if (scanner.digits() == 0) return false;
  scanner.take_size(scanner.digits());
  if (!scanner.take('.') || scanner.digits() < 3) return false;
  scanner.take_size(scanner.digits());
  return true;
}

// The stamp and one space behind it; nullopt when there is none.
std::optional<std::string_view> take_stamp(LineScanner& scanner, Stamp kind) {
  LineScanner at = scanner;
  if (kind == Stamp::epoch) at.skip_spaces();
  const auto begin = at.rest();
  if (!(kind == Stamp::calendar ? read_calendar(at) : read_epoch(at))) return std::nullopt;
  const auto stamp = begin.substr(0, begin.size() - at.rest().size());
  if (!at.take(' ')) return std::nullopt;
  scanner = at;
  return stamp;
}

// Fills tag and message from "Tag     : message". Of several colons in a row the first ends the
// tag: padded, a tag that ends with one would read differently.
bool read_tag(std::string_view text, LogEntry& entry) {
  std::size_t colon = text.find(": ");
  if (colon == text.npos && text.ends_with(':')) colon = text.size() - 1;
  if (colon == text.npos) return false;
  while (colon > 0 && text[colon - 1] == ':') --colon;
  entry.tag = trimmed_end(text.substr(0, colon), " ");
  std::string_view message = text.substr(colon + 1);
  if (message.starts_with(' ')) message.remove_prefix(1);
  entry.message = message;
  return true;
}

// "  1234  5678 I Tag     : message"
bool read_columns(LineScanner scanner, LogEntry& entry) {
  scanner.skip_spaces();
  const auto pid = scanner.take_number();
  if (!pid || !scanner.rest().starts_with(' ')) return false;
  scanner.skip_spaces();
  const auto tid = scanner.take_number();
  if (!tid || !scanner.take(' ')) return false;
  const auto priority = scanner.take_priority();
  if (!priority || !scanner.take(' ') || !read_tag(scanner.rest(), entry)) return false;
  entry.pid = *pid;
  entry.tid = *tid;
  entry.priority = *priority;
  return true;
}

struct PidPlace {
  std::size_t begin;  // of "( 1234): "
  std::size_t end;
  std::int32_t pid;
};

// The first "( 1234): ", or "( 1234):" at the end.
std::optional<PidPlace> find_pid(std::string_view text) {
  for (std::size_t at = text.find("):"); at != text.npos; at = text.find("):", at + 1)) {
    const std::size_t end = at + 2;
    if (end < text.size() && text[end] != ' ') continue;
    std::size_t begin = at;
    while (begin > 0 && is_digit(text[begin - 1])) --begin;
    LineScanner digits(text.substr(begin, at - begin));
    while (begin > 0 && text[begin - 1] == ' ') --begin;
    const auto pid = digits.take_number();
    if (!pid || !digits.rest().empty() || begin == 0 || text[begin - 1] != '(') continue;
    return PidPlace{begin - 1, std::min(end + 1, text.size()), *pid};
  }
  return std::nullopt;
}

// "I/Tag     ( 1234): message"
bool read_brief(LineScanner scanner, LogEntry& entry) {
  const auto priority = scanner.take_priority();
  if (!priority || !scanner.take('/')) return false;
  const auto text = scanner.rest();
  const auto place = find_pid(text);
  if (!place) return false;
  entry.priority = *priority;
  entry.tag = trimmed_end(text.substr(0, place->begin), " ");
  entry.pid = place->pid;
  entry.message = text.substr(place->end);
  return true;
}

bool read_tag_only(LineScanner scanner, LogEntry& entry) {
  const auto priority = scanner.take_priority();
  if (!priority || !scanner.take('/') || !read_tag(scanner.rest(), entry)) return false;
  entry.priority = *priority;
  return true;
}

using Reader = bool (*)(LineScanner, LogEntry&);

bool read_stamped(LineScanner scanner, Stamp kind, Reader read, LogEntry& entry) {
  const auto stamp = take_stamp(scanner, kind);
  if (!stamp || !read(scanner, entry)) return false;
  entry.time = *stamp;
  return true;
}

bool read_any(LineScanner scanner, LogEntry& entry) {
  for (const Stamp kind : {Stamp::calendar, Stamp::epoch}) {
    for (const Reader read : {&read_columns, &read_brief}) {
      if (read_stamped(scanner, kind, read, entry)) return true;
    }
  }
  // "I/Tag: see f(1): x" is the tag format, though it holds what looks like a pid.
  LogEntry brief;
  if (read_brief(scanner, brief) && brief.tag.find(": ") == std::string::npos) {
    entry = std::move(brief);
    return true;
  }
  return read_tag_only(scanner, entry);
}

bool read_format(std::string_view line, LogFormat format, LogEntry& entry) {
  const LineScanner scanner(line);
  switch (format) {
    case LogFormat::brief: return read_brief(scanner, entry);
    case LogFormat::tag: return read_tag_only(scanner, entry);
    case LogFormat::time: return read_stamped(scanner, Stamp::calendar, read_brief, entry);
    case LogFormat::threadtime: return read_stamped(scanner, Stamp::calendar, read_columns, entry);
    case LogFormat::epoch: return read_stamped(scanner, Stamp::epoch, read_columns, entry);
    case LogFormat::automatic: return read_any(scanner, entry);
  }
  return false;
}

std::string padded_number(std::int32_t number) {
  std::string text = std::to_string(number);
  return std::string(text.size() < 5 ? 5 - text.size() : 0, ' ') + text;
}

std::string padded_tag(std::string_view tag) {
  return std::string(tag) + std::string(tag.size() < 8 ? 8 - tag.size() : 0, ' ');
}

bool is_divider(std::string_view line) {
  return line.starts_with("--------- beginning of ") || line.starts_with("--------- switch to ");
}

}  // namespace

std::optional<LogEntry> parse_log_line(std::string_view line, LogFormat format) {
  LogEntry entry;
  if (!read_format(line, format, entry)) return std::nullopt;
  return entry;
}

std::string format_log_line(const LogEntry& entry, LogFormat format) {
  const std::string tag = padded_tag(entry.tag);
  const std::string brief = std::string{entry.priority} + "/" + tag;
  switch (format) {
    case LogFormat::brief: return brief + "(" + padded_number(entry.pid) + "): " + entry.message;
    case LogFormat::tag: return brief + ": " + entry.message;
    case LogFormat::time:
      return entry.time + " " + brief + "(" + padded_number(entry.pid) + "): " + entry.message;
    case LogFormat::threadtime:
    case LogFormat::epoch:
    case LogFormat::automatic:
      return entry.time + " " + padded_number(entry.pid) + " " + padded_number(entry.tid) + " " +
             entry.priority + " " + tag + ": " + entry.message;
  }
  return {};
}

Result<std::optional<LogEntry>> LogcatTextReader::next() {
  for (;;) {
    const auto text = as_text(queue_.view());
    const std::size_t line_break = text.substr(0, kMaxLogLine + 1).find('\n', scanned_);
    const bool found = line_break != text.npos;
    scanned_ = found ? 0 : std::min(text.size(), kMaxLogLine + 1);
    if (!found && text.size() <= kMaxLogLine) return std::nullopt;
    auto entry = found ? read_line(text.substr(0, line_break), Ending::line_break)
                       : read_line(text.substr(0, kMaxLogLine), Ending::cut);
    queue_.consume(found ? line_break + 1 : kMaxLogLine);
    if (!found) scanned_ = 0;
    if (entry) return entry;
  }
}

std::optional<LogEntry> LogcatTextReader::finish() {
  auto entry = read_line(as_text(queue_.view()), Ending::line_break);
  queue_.clear();
  scanned_ = 0;
  return entry;
}

std::optional<LogEntry> LogcatTextReader::read_line(std::string_view line, Ending ending) {
  const bool ends = ending == Ending::line_break;
  if (ends && line.ends_with('\r')) line.remove_suffix(1);
  if (head_) {
    LogEntry entry = *head_;
    if (ends) head_.reset();
    if (line.empty()) return std::nullopt;
    entry.message = line;
    return entry;
  }
  if (line.empty() || is_divider(line)) return std::nullopt;
  auto entry = parse_log_line(line, format_);
  if (!entry) entry = LogEntry{.message = std::string(line)};
  if (!ends) {
    head_ = *entry;
    head_->message.clear();
    head_->continued = true;
  }
  return entry;
}

}  // namespace adbproto
