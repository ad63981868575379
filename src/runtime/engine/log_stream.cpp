#include "runtime/engine/log_stream.hpp"

#include <charconv>

#include "adbproto/wire/services.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

using adbproto::ByteStreamPtr;
using adbproto::ByteView;
using adbproto::Device;
using adbproto::Errc;
using adbproto::Error;
using adbproto::fail;
using adbproto::Framing;
using adbproto::LogRecord;
using adbproto::ok;
using adbproto::Result;
using adbproto::Task;

namespace {

constexpr auto kAttachLimit = std::chrono::seconds(10);
constexpr std::size_t kMaxHeader = 1024;

bool is_link_error(const Error& error) {
  return error.code() == Errc::io || error.code() == Errc::closed || names_lost_link(error);
}

}  // namespace

Task<std::unique_ptr<LogStream>> LogStream::open(Device* device, KnownPhone known) {
  const bool framed = device->features().has("shell_v2");
  const std::string script = log_script(known);
  auto stream =
      co_await device->open(framed ? adbproto::shell_v2_raw(script) : adbproto::exec(script));
  if (!stream && is_link_error(stream.error())) {
    co_return fail(Errc::link_lost, stream.error().message());
  }
  if (!stream && stream.error().code() == Errc::refused) {
    co_return fail(Errc::logcat_unavailable,
                   "cannot open the device's log: " + stream.error().message());
  }
  if (!stream) co_return std::unexpected(std::move(stream).error());
  std::unique_ptr<LogStream> log(
      new LogStream(*std::move(stream), framed ? Framing::shell_v2 : Framing::raw));
  // A direct link says itself when it is gone, and a raw stream never has a status.
  const bool direct = device->route() == "tcp" || device->route() == "usb";
  if (!framed || direct) log->end_without_status_ = Errc::result_transport_exited;
  CO_TRY_VOID(co_await log->read_header());
  co_return log;
}

Task<std::unique_ptr<LogStream>> LogStream::attach(Device* device, KnownPhone known) {
  auto log = co_await adbproto::with_deadline(open(device, std::move(known)), kAttachLimit,
                                              "opening the device's log");
  if (!log && log.error().code() == Errc::deadline_exceeded) {
    co_return fail(Errc::logcat_unavailable, log.error().message());
  }
  co_return log;
}

Task<void> LogStream::read_header() {
  std::string line;
  for (;;) {
    const auto piece = co_await output_.next();
    if (!piece) co_return std::unexpected(end_error(piece.error()));
    const std::string_view text = adbproto::as_text(*piece);
    const auto end = text.find('\n');
    line += text.substr(0, end);
    if (end != std::string_view::npos) {
      CO_TRY(facts_, parse_log_header(line));
      shape_ = log_shape(facts_);
      feed(piece->subspan(end + 1));
      co_return ok();
    }
    if (line.size() > kMaxHeader) {
      co_return fail(Errc::logcat_unavailable, "the device's log starts with no time");
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
  line_ = *std::move(entry);
  LogRecord record{.pid = line_.pid, .tid = line_.tid, .priority = line_.priority};
  record.tag = line_.tag;
  record.message = line_.message;
  const auto dot = line_.time.find('.');
  std::from_chars(line_.time.data(), line_.time.data() + std::min(dot, line_.time.size()),
                  record.sec);
  if (dot != std::string::npos)
    record.nsec = parse_fraction(std::string_view(line_.time).substr(dot + 1));
  return record;
}

// logcat may begin earlier than it was told to, at the second on old Androids: what stands before
// the instant in that second is somebody else's. From the first later entry on time decides
// nothing, for the phone's clock may be set back at any moment; an entry from long ago says that it
// was.
bool LogStream::is_since_start(const LogRecord& record) {
  if (record.priority == '\0') return false;  // events and statistics
  if (past_start_) return true;
  const bool later =
      record.sec != facts_.sec ? record.sec > facts_.sec : record.nsec >= facts_.nsec;
  past_start_ = later || record.sec + 1 < facts_.sec;
  return past_start_;
}

Result<void> LogStream::drain(ResultCollector* collector) {
  for (;;) {
    TRY(const auto record, next_record());
    if (!record) return ok();
    saw_entries_ = true;
    if (!is_since_start(*record)) continue;
    TRY_VOID(collector->add({record->pid, record->tid, record->tag, record->message}));
  }
}

Error LogStream::end_error(const Error& error) const {
  if (error.code() == Errc::io) return {Errc::link_lost, error.message()};
  if (error.code() != Errc::closed) return error;
  const auto status = output_.exit_status();
  if (!status && end_without_status_ == Errc::link_lost) {
    return {Errc::link_lost, "the link to the device is gone"};
  }
  std::string text = "logcat exited" + (status ? " with " + std::to_string(*status) : "");
  if (!output_.err().empty()) text += ": " + output_.err();
  return {saw_entries_ ? Errc::result_transport_exited : Errc::logcat_unavailable, text};
}

Task<void> LogStream::read_more() {
  const auto piece = co_await output_.next();
  if (!piece) co_return std::unexpected(end_error(piece.error()));
  feed(*piece);
  co_return ok();
}

Task<void> LogStream::collect(ResultCollector* collector) {
  for (;;) {
    CO_TRY_VOID(drain(collector));
    if (collector->envelope()) co_return ok();
    CO_TRY_VOID(co_await read_more());
  }
}

Task<void> LogStream::collect_hierarchies(ResultCollector* collector) {
  for (;;) {
    CO_TRY_VOID(drain(collector));
    if (!collector->awaits_hierarchies()) co_return ok();
    CO_TRY_VOID(co_await read_more());
  }
}

}  // namespace clawperator
