#include "adbproto/wire/logcat_text.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::string_view kPriorityLetters = "VDIWEFS";

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
    if (rest_.empty() || kPriorityLetters.find(rest_.front()) == kPriorityLetters.npos)
      return std::nullopt;
    const char priority = rest_.front();
    rest_.remove_prefix(1);
    return priority;
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

bool read_epoch(LineScanner& scanner) {
  if (scanner.digits() == 0) return false;
  scanner.take_size(scanner.digits());
  if (!scanner.take('.') || scanner.digits() < 3) return false;
  scanner.take_size(scanner.digits());
  return true;
}

// The stamp, and one space behind it; nullopt when there is none.
std::optional<std::string_view> take_stamp(LineScanner& scanner) {
  LineScanner at = scanner;
  at.skip_spaces();
  const auto begin = at.rest();
  if (!read_epoch(at)) return std::nullopt;
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

bool is_divider(std::string_view line) {
  return line.starts_with("--------- beginning of ") || line.starts_with("--------- switch to ");
}

}  // namespace

std::optional<LogEntry> parse_log_line(std::string_view line) {
  LogEntry entry;
  LineScanner scanner(line);
  const auto stamp = take_stamp(scanner);
  if (!stamp || !read_columns(scanner, entry)) return std::nullopt;
  entry.time = *stamp;
  return entry;
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
  auto entry = parse_log_line(line);
  if (!entry) entry = LogEntry{.message = std::string(line)};
  if (!ends) {
    head_ = *entry;
    head_->message.clear();
    head_->continued = true;
  }
  return entry;
}

}  // namespace adbproto
