#include "runtime/engine/log_stream.hpp"

#include <algorithm>
#include <charconv>

#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_commands.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {

namespace {

// A shell prints one line and starts logcat; a device that takes longer is stuck.
constexpr auto kAttachLimit = std::chrono::seconds(10);
// A log that falls behind again so soon will do so again; then its end is an error.
constexpr auto kReopenPause = std::chrono::minutes(1);
// The line has a time, two ids and a number, about 100 bytes.
constexpr std::size_t kMaxHeader = 1024;
// 24 bytes each; of a second with more entries only the last ones are recognised.
constexpr std::size_t kMaxSeen = 4096;
constexpr int kStartsAtSeconds = 24;  // logcat's -T takes them since Android 7

std::string service_for(const Device& device, const KnownPhone& known, const std::string& from) {
  const std::string script = log_script(known, from);
  return shell_framing(device) == Framing::shell_v2 ? adbproto::shell_v2_raw(script)
                                                    : adbproto::exec(script);
}

}  // namespace

std::string LogStream::service_of(const KnownPhone& known) {
  return adbproto::shell_v2_raw(log_script(known));
}

Task<std::unique_ptr<LogStream>> LogStream::open(Device* device, std::string service) {
  const Framing framing = shell_framing(*device);
  auto stream = co_await device->open(service);
  if (!stream && is_link_error(stream.error())) {
    co_return fail(errc::link_lost, stream.error().message());
  }
  if (!stream && stream.error().code() == errc::refused) {
    co_return fail(errc::logcat_unavailable,
                   "cannot open the device's log: " + stream.error().message());
  }
  if (!stream) co_return std::unexpected(std::move(stream).error());
  std::unique_ptr<LogStream> log(new LogStream(*std::move(stream), framing));
  // A direct link reports its own end, and a raw stream never has a status.
  const bool direct = device->route() == "tcp" || device->route() == "usb";
  if (framing == Framing::raw || direct) log->end_without_status_ = errc::result_transport_exited;
  log->device_ = device;
  log->service_ = std::move(service);
  CO_TRY_VOID(co_await log->read_header());
  co_return log;
}

Task<std::unique_ptr<LogStream>> LogStream::attach(Device* device, KnownPhone known) {
  auto log = co_await with_deadline(open(device, service_for(*device, known, {})), kAttachLimit,
                                    "opening the device's log");
  if (!log && log.error().code() == errc::deadline_exceeded) {
    co_return fail(errc::logcat_unavailable, log.error().message());
  }
  co_return log;
}

Task<void> LogStream::read_header() {
  std::string line;
  for (;;) {
    const auto piece = co_await output_.next();
    if (!piece) co_return std::unexpected(end_error(piece.error()));
    std::string_view text = as_text(*piece);
    while (!text.empty()) {
      const auto end = text.find('\n');
      line += text.substr(0, end);
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
      const std::string whole = std::exchange(line, {});
      if (adbproto::is_linker_warning(whole)) continue;  // of `getprop`
      CO_TRY(facts_, parse_log_header(whole));
      shape_ = log_shape(facts_);
      feed(as_bytes(text));
      co_return ok();
    }
    if (line.size() > kMaxHeader) {
      co_return fail(errc::logcat_unavailable, "the device's log does not begin with a time");
    }
  }
}

void LogStream::feed(ByteView bytes) {
  if (shape_ == LogShape::text) {
    lines_.feed(bytes);
  } else {
    records_.feed(bytes);
  }
}

Result<std::optional<LogRecord>> LogStream::next_record() {
  if (shape_ == LogShape::binary) return records_.next();
  return next_text_record();
}

Result<std::optional<LogRecord>> LogStream::next_text_record() {
  TRY(auto entry, lines_.next());
  if (!entry) return std::nullopt;
  entry_ = *std::move(entry);
  LogRecord record{.pid = entry_.pid, .tid = entry_.tid, .priority = entry_.priority};
  record.tag = entry_.tag;
  record.message = entry_.message;
  const auto dot = entry_.time.find('.');
  std::from_chars(entry_.time.data(), entry_.time.data() + std::min(dot, entry_.time.size()),
                  record.sec);
  if (dot != std::string::npos)
    record.nsec = parse_fraction(std::string_view(entry_.time).substr(dot + 1));
  return record;
}

// logcat may begin earlier than requested, on old Androids at the full second: entries before the
// instant in that second are not ours. From the first later entry on time decides nothing, because
// the phone's clock may be set back at any moment; an old time then means that it was.
bool LogStream::is_since_start(const LogRecord& record) {
  if (record.priority == '\0') return false;  // events and statistics
  if (past_start_) return true;
  const bool later =
      record.sec != facts_.sec ? record.sec > facts_.sec : record.nsec >= facts_.nsec;
  past_start_ = later || record.sec + 1 < facts_.sec;
  return past_start_;
}

Result<void> LogStream::drain(const Sink& sink) {
  for (;;) {
    TRY(const auto record, next_record());
    if (!record) return ok();
    saw_entries_ = true;
    if (was_read(*record) || !is_since_start(*record)) continue;
    const std::chrono::nanoseconds time =
        std::chrono::seconds(record->sec) + std::chrono::nanoseconds(record->nsec);
    TRY_VOID(sink({record->pid, record->tid, record->tag, record->message, time}));
  }
}

Error LogStream::end_error(const Error& error) const {
  if (error.code() == errc::io) return {errc::link_lost, error.message()};
  if (error.code() != errc::closed) return error;
  const auto status = output_.exit_status();
  if (!status && end_without_status_ == errc::link_lost) {
    return {errc::link_lost, "the link to the device is gone"};
  }
  std::string text = "logcat exited" + (status ? " with " + std::to_string(*status) : "");
  if (!output_.err().empty()) text += ": " + std::string(first_line(trimmed(output_.err())));
  return {saw_entries_ ? errc::result_transport_exited : errc::logcat_unavailable, text};
}

// The new stream begins a second early, or at the oldest entry that is remembered. The entries read
// before come again, in the same order.
bool LogStream::was_read(const LogRecord& record) {
  const Seen seen{record.sec, record.nsec, record.pid, record.tid, record.message.size()};
  if (!repeats_.empty() && seen.sec > repeats_.back().sec) repeats_.clear();
  if (const auto at = std::ranges::find(repeats_, seen); at != repeats_.end()) {
    repeats_.erase(at);
    return true;
  }
  seen_.push_back(seen);
  if (seen_.size() > kMaxSeen) seen_.pop_front();
  return false;
}

bool LogStream::is_earlier(const Seen& one, const Seen& other) {
  return one.sec != other.sec ? one.sec < other.sec : one.nsec < other.nsec;
}

// logd ends a reader that it would have to wait for; logcat then prints "Unexpected EOF".
bool LogStream::fell_behind(const Error& error) const {
  const bool lately = reopened_at_ && Clock::now() - *reopened_at_ < kReopenPause;
  return error.code() == errc::closed && !lately && !seen_.empty() &&
         facts_.sdk >= kStartsAtSeconds && output_.exit_status() == 1 &&
         output_.err().contains("nexpected EOF");
}

Task<void> LogStream::reopen() {
  Seen first{.sec = facts_.sec, .nsec = facts_.nsec};
  if (!seen_.empty()) first = seen_.back();
  first.sec -= std::min<std::uint32_t>(first.sec, 1);
  // Another entry of the oldest remembered instant may be forgotten, so that instant is left out.
  if (seen_.size() == kMaxSeen && is_earlier(first, seen_.front())) {
    const Seen oldest = seen_.front();
    std::erase_if(seen_, [&](const Seen& each) { return !is_earlier(oldest, each); });
    if (seen_.empty()) {
      co_return fail(errc::result_transport_exited,
                     "the log cannot be resumed: the place of the last entry is lost");
    }
    first = seen_.front();
  }
  std::string from = std::to_string(1'000'000'000 + first.nsec);
  from.replace(0, 1, std::to_string(first.sec) + ".");
  service_ = service_for(*device_, {facts_.boot_id, facts_.serialno, facts_.sdk}, from);
  CO_TRY(auto next, co_await with_deadline(open(device_, service_), kAttachLimit,
                                           "opening the device's log again"));
  if (next->facts_.boot_id != facts_.boot_id || next->facts_.serialno != facts_.serialno) {
    co_return fail(errc::device_identity_changed, "the device was restarted");
  }
  output_ = std::move(next->output_);
  records_ = std::move(next->records_);
  lines_ = std::move(next->lines_);
  repeats_ = std::exchange(seen_, {});
  std::erase_if(repeats_, [&](const Seen& each) { return is_earlier(each, first); });
  ++reopened_;
  co_return ok();
}

// Opens a log again that logd ended, on the same link.
Task<void> LogStream::fall_back() {
  auto reopened = co_await reopen();
  reopened_at_ = Clock::now();
  if (reopened) co_return ok();
  const Error& why = reopened.error();
  if (why.code() == errc::cancelled || why.code() == errc::link_lost) co_return reopened;
  co_return fail(errc::result_transport_exited, "logcat fell behind, and " + why.message());
}

Task<void> LogStream::resume(Device* device) {
  if (facts_.sdk < kStartsAtSeconds) {
    co_return fail(errc::result_transport_exited, "logcat cannot begin where it was before");
  }
  device_ = device;
  co_return co_await reopen();
}

Task<void> LogStream::read_more() {
  const auto piece = co_await output_.next();
  if (!piece && fell_behind(piece.error())) co_return co_await fall_back();
  if (!piece) co_return std::unexpected(end_error(piece.error()));
  feed(*piece);
  co_return ok();
}

}  // namespace clawperator
