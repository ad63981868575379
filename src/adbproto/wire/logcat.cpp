#include "adbproto/wire/logcat.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kShortestHeader = 20;
// logd's longest record has 5 KiB; this many bytes without a header are no log.
constexpr std::size_t kMaxSkipped = 65536;
constexpr std::string_view kPrioritiesByNumber = "??VDIWEFS";  // by the number on the wire

struct RecordSize {
  std::size_t header = 0;
  std::size_t payload = 0;
};

std::uint32_t word_in(ByteView bytes, std::size_t offset) {
  return load_le<std::uint32_t>(bytes.data() + offset);
}

// Precondition: kShortestHeader bytes.
RecordSize load_size(ByteView bytes) {
  const auto payload = load_le<std::uint16_t>(bytes.data());
  const auto header = load_le<std::uint16_t>(bytes.data() + 2);
  return {header == 0 ? kShortestHeader : header, payload};
}

bool may_be_header(ByteView bytes) {
  const std::size_t header = load_size(bytes).header;
  return (header == 20 || header == 24 || header == 28) && word_in(bytes, 16) < 1'000'000'000;
}

// Stricter, because any bytes may stand in the place of a header between records.
bool looks_like_header(ByteView bytes) {
  const std::size_t payload = load_size(bytes).payload;
  return may_be_header(bytes) && load_le<std::uint16_t>(bytes.data() + 2) != 0 && payload >= 3 &&
         payload <= kMaxLogPayload && load_le<std::int32_t>(bytes.data() + 4) >= 0 &&
         word_in(bytes, 12) != 0;
}

bool is_text_log(std::uint32_t log_id) { return log_id != 2 && log_id != 5 && log_id != 6; }

// A payload without its NULs still gives the fields that are found.
void read_text(ByteView payload, LogRecord& record) {
  if (payload.empty()) return;
  const auto priority = std::to_integer<std::size_t>(payload.front());
  record.priority = priority < kPrioritiesByNumber.size() ? kPrioritiesByNumber[priority] : '?';
  auto text = as_text(payload.subspan(1));
  if (const std::size_t end = text.find('\0'); end != text.npos) {
    record.tag = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  record.message = text.substr(0, text.find('\0'));
}

LogRecord load_record(ByteView bytes, RecordSize size) {
  LogRecord record;
  record.pid = load_le<std::int32_t>(bytes.data() + 4);
  record.tid = load_le<std::int32_t>(bytes.data() + 8);
  record.sec = word_in(bytes, 12);
  record.nsec = word_in(bytes, 16);
  if (size.header >= 24) record.log_id = word_in(bytes, 20);
  if (size.header >= 28) record.uid = word_in(bytes, 24);
  if (is_text_log(record.log_id)) read_text(bytes.subspan(size.header, size.payload), record);
  return record;
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kPriorityLetters = "VDIWEFS";

// Removes these characters from the beginning of `line`, and returns them.
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

// Fills tag and message from "Tag     : message". The first of several colons ends the tag:
// otherwise a padded tag with a colon at its end would be read differently.
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

void LogcatBinaryReader::feed(ByteView bytes) {
  queue_.consume(std::exchange(used_, 0));
  queue_.append(bytes);
}

Result<std::optional<LogRecord>> LogcatBinaryReader::next() {
  queue_.consume(std::exchange(used_, 0));
  const bool found = find_header();
  if (skipped_in_a_row_ > kMaxSkipped) {
    return fail(errc::protocol, "no log entry within 64 KiB of the log stream");
  }
  if (!found) return std::nullopt;
  const ByteView bytes = queue_.view();
  const RecordSize size = load_size(bytes);
  if (bytes.size() < size.header + size.payload) return std::nullopt;
  sync_ = Sync::kept;
  skipped_in_a_row_ = 0;
  used_ = size.header + size.payload;
  return load_record(bytes, size);
}

// True if the queue begins with a header; drops bytes that cannot begin one.
bool LogcatBinaryReader::find_header() {
  const ByteView bytes = queue_.view();
  std::size_t at = 0;
  bool found = false;
  while (!found && at + kShortestHeader <= bytes.size() && skipped_in_a_row_ <= kMaxSkipped) {
    const ByteView candidate = bytes.subspan(at);
    found = sync_ == Sync::kept ? may_be_header(candidate) : looks_like_header(candidate);
    if (found) break;
    sync_ = Sync::lost;
    ++at;
    ++skipped_in_a_row_;
  }
  skipped_ += at;
  queue_.consume(at);
  return found;
}

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
