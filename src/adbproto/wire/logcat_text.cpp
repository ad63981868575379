#include "adbproto/wire/logcat_text.hpp"

#include <algorithm>
#include <string>

#include "base/number.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kPriorityLetters = "VDIWEFS";

// What `line` begins with of these characters; the line loses it.
std::string_view take(std::string_view& line, std::string_view characters) {
  const auto taken = line.substr(0, line.find_first_not_of(characters));
  line.remove_prefix(taken.size());
  return taken;
}

bool take_one(std::string_view& line, char c) {
  if (!line.starts_with(c)) return false;
  line.remove_prefix(1);
  return true;
}

std::optional<std::int32_t> take_number(std::string_view& line) {
  return whole_number<std::int32_t>(take(line, kDigits));
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

bool is_divider(std::string_view line) {
  return line.starts_with("--------- beginning of ") || line.starts_with("--------- switch to ");
}

}  // namespace

std::optional<LogEntry> parse_log_line(std::string_view line) {
  LogEntry entry;
  take(line, " ");
  const auto begin = line;
  const bool has_stamp =
      !take(line, kDigits).empty() && take_one(line, '.') && take(line, kDigits).size() >= 3;
  entry.time = begin.substr(0, begin.size() - line.size());
  if (!has_stamp || !take_one(line, ' ')) return std::nullopt;
  take(line, " ");
  const auto pid = take_number(line);
  if (!pid || take(line, " ").empty()) return std::nullopt;
  const auto tid = take_number(line);
  if (!tid || !take_one(line, ' ') || line.empty()) return std::nullopt;
  entry.pid = *pid;
  entry.tid = *tid;
  entry.priority = line.front();
  line.remove_prefix(1);
  const bool has_priority = kPriorityLetters.contains(entry.priority) && take_one(line, ' ');
  if (!has_priority || !read_tag(line, entry)) return std::nullopt;
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
