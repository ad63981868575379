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

// logcat's -T takes no epoch on old devices, so it gets the start of the current second and the
// entries before the exact instant are left out here. Android's sh tells that instant itself
// (EPOCHREALTIME); other shells need a date that knows %N, which prints a literal N elsewhere.
constexpr std::string_view kScript =
    "read B 2>/dev/null </proc/sys/kernel/random/boot_id;"
    "E=$EPOCHREALTIME;D=$(date '+%s.%N|%m-%d %H:%M:%S');"
    "[ \"$E\" ] || E=${D%%|*};"
    "echo \"$B|$(getprop ro.serialno)|$E\";"
    "exec logcat -B -b main -T \"${D#*|}.000\"";

// A clock that counts from boot cannot be compared with the wall clock of the header.
constexpr std::uint32_t kEarliestWallClock = 1'000'000'000;

bool parse_number(std::string_view text, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// "077" is 77 ms; anything but one to nine digits is 0, the start of the second.
std::uint32_t parse_fraction(std::string_view digits) {
  std::uint32_t nanoseconds = 0;
  if (digits.empty() || digits.size() > 9 || !parse_number(digits, nanoseconds)) return 0;
  for (std::size_t place = digits.size(); place < 9; ++place) nanoseconds *= 10;
  return nanoseconds;
}

bool is_link_error(const Error& error) {
  return error.code() == Errc::io || error.code() == Errc::closed || names_lost_link(error);
}

}  // namespace

Result<DeviceFacts> parse_log_header(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  const auto refuse = [&] {
    return fail(
        Errc::logcat_unavailable,
        "device shell answered '" + std::string(line.substr(0, 200)) + "' instead of its time");
  };
  const auto first = line.find('|');
  const auto second = line.find('|', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) return refuse();
  const std::string_view time = line.substr(second + 1);
  const auto dot = time.find('.');
  DeviceFacts facts;
  facts.boot_id = line.substr(0, first);
  facts.serialno = line.substr(first + 1, second - first - 1);
  if (!parse_number(time.substr(0, dot), facts.sec)) return refuse();
  const std::string_view fraction = dot == std::string_view::npos ? "" : time.substr(dot + 1);
  facts.nsec = parse_fraction(fraction);
  return facts;
}

Task<std::unique_ptr<LogStream>> LogStream::open(Device* device) {
  const bool framed = device->features().has("shell_v2");
  auto stream =
      co_await device->open(framed ? adbproto::shell_v2_raw(kScript) : adbproto::exec(kScript));
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

Task<std::unique_ptr<LogStream>> LogStream::attach(Device* device) {
  auto log =
      co_await adbproto::with_deadline(open(device), kAttachLimit, "opening the device's log");
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
      records_.feed(piece->subspan(end + 1));
      co_return ok();
    }
    if (line.size() > kMaxHeader) {
      co_return fail(Errc::logcat_unavailable, "the device's log starts with no time");
    }
  }
}

bool LogStream::is_ours(const LogRecord& record) const {
  if (record.priority == '\0') return false;  // events and statistics
  if (record.sec < kEarliestWallClock) return true;
  if (record.sec != facts_.sec) return record.sec > facts_.sec;
  return record.nsec >= facts_.nsec;
}

Result<void> LogStream::drain(ResultCollector* collector) {
  for (;;) {
    TRY(const auto record, records_.next());
    if (!record) return ok();
    saw_entries_ = true;
    if (!is_ours(*record)) continue;
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
  records_.feed(*piece);
  co_return ok();
}

Task<void> LogStream::collect(ResultCollector* collector) {
  for (;;) {
    CO_TRY_VOID(drain(collector));
    if (collector->envelope()) co_return ok();
    CO_TRY_VOID(co_await read_more());
  }
}

Task<void> LogStream::collect_hierarchies(ResultCollector* collector, std::size_t count) {
  for (;;) {
    CO_TRY_VOID(drain(collector));
    if (collector->hierarchies().size() >= count) co_return ok();
    CO_TRY_VOID(co_await read_more());
  }
}

}  // namespace clawperator
