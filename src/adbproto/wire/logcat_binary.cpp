#include "adbproto/wire/logcat_binary.hpp"

#include <utility>

namespace adbproto {
namespace {

constexpr std::size_t kShortestHeader = 20;
constexpr std::size_t kMaxSkipped = 65536;
constexpr std::string_view kPrioritiesByNumber = "??VDIWEFS";  // by the number on the wire

struct RecordSize {
  std::size_t header = 0;
  std::size_t payload = 0;
};

std::uint32_t word_at(ByteView bytes, std::size_t offset) {
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
  return (header == 20 || header == 24 || header == 28) && word_at(bytes, 16) < 1'000'000'000;
}

// Stricter, because between records almost anything can stand where a header is looked for.
bool looks_like_header(ByteView bytes) {
  const std::size_t payload = load_size(bytes).payload;
  return may_be_header(bytes) && load_le<std::uint16_t>(bytes.data() + 2) != 0 && payload >= 3 &&
         payload <= kMaxLogPayload && load_le<std::int32_t>(bytes.data() + 4) >= 0 &&
         word_at(bytes, 12) != 0;
}

bool is_text_log(std::uint32_t log_id) { return log_id != 2 && log_id != 5 && log_id != 6; }

// A payload without its NULs still gives what can be told from it.
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
  record.sec = word_at(bytes, 12);
  record.nsec = word_at(bytes, 16);
  if (size.header >= 24) record.log_id = word_at(bytes, 20);
  if (size.header >= 28) record.uid = word_at(bytes, 24);
  if (is_text_log(record.log_id)) read_text(bytes.subspan(size.header, size.payload), record);
  return record;
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

// True when the queue begins with a header; drops what cannot be one.
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

}  // namespace adbproto
