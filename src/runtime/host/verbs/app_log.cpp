#include "runtime/host/verbs/app_log.hpp"

#include <algorithm>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/logcat.hpp"
#include "adbproto/wire/services.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/errc.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator {

namespace {

// The first lines name the fault; a stack overflow's trace is far longer.
constexpr std::size_t kMostTraceLines = 64;
constexpr std::size_t kLongestTraceLine = 500;
constexpr std::size_t kLongestMessage = 2000;

// "1732226463.123" in milliseconds.
std::int64_t milliseconds_of(std::string_view time) {
  const auto dot = std::min(time.find('.'), time.size());
  const auto seconds = whole_number<std::int32_t>(time.substr(0, dot)).value_or(0);
  std::string fraction(time.substr(std::min(dot + 1, time.size())).substr(0, 3));
  fraction.resize(3, '0');
  return std::int64_t{seconds} * 1000 + whole_number<std::uint16_t>(fraction).value_or(0);
}

// The next of the values that stand with commas between them.
std::string_view take_value(std::string_view* values) {
  const auto comma = std::min(values->find(','), values->size());
  const std::string_view value = values->substr(0, comma);
  values->remove_prefix(std::min(comma + 1, values->size()));
  return value;
}

// Without the file's name and the one or two numbers behind it.
std::string_view without_place(std::string_view values) {
  for (int i = 0; i < 3; ++i) {
    const auto comma = values.rfind(',');
    if (comma == values.npos) return {};
    const bool is_number = whole_number<std::int32_t>(values.substr(comma + 1)).has_value();
    values = values.substr(0, comma);
    if (!is_number) break;
  }
  return values;
}

// [user,pid,process,flags,exception,message,file,line] or [user,pid,process,flags,reason]; newer
// releases write one number more behind the line's.
std::optional<Crash> read_event(const adbproto::LogEntry& entry) {
  std::string_view values = entry.message;
  const bool is_anr = entry.tag == "am_anr";
  if ((!is_anr && entry.tag != "am_crash") || values.size() < 2) return std::nullopt;
  if (!values.starts_with('[') || !values.ends_with(']')) return std::nullopt;
  values = values.substr(1, values.size() - 2);
  take_value(&values);
  Crash crash{.kind = is_anr ? CrashKind::anr : CrashKind::java,
              .time_ms = milliseconds_of(entry.time)};
  crash.pid = whole_number<std::int32_t>(take_value(&values)).value_or(0);
  crash.process = take_value(&values);
  take_value(&values);
  if (!is_anr) {
    crash.exception = take_value(&values);
    if (crash.exception == "Native crash") crash.kind = CrashKind::native;
    values = without_place(values);
  }
  crash.message = std::string(trimmed(values).substr(0, kLongestMessage));
  return crash;
}

bool begins_crash(const adbproto::LogEntry& entry) {
  return entry.message.starts_with("FATAL EXCEPTION") || entry.message.starts_with("*** ***");
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const auto at = text.find(before);
  if (at == text.npos) return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, std::min(text.find(after), text.size()));
}

// One of the log's own buffer for crashes, read line by line.
void read_trace_line(Crash* crash, std::string_view line) {
  if (const auto process = between(line, "Process: ", ","); !process.empty()) {
    crash->process = process;
    crash->pid = whole_number<std::int32_t>(between(line, "PID: ", " ")).value_or(0);
    return;
  }
  if (const auto process = between(line, ">>> ", " <<<"); !process.empty()) {
    crash->process = process;
    crash->pid = whole_number<std::int32_t>(between(line, "pid: ", ",")).value_or(0);
    return;
  }
  const bool is_head = crash->trace.empty() && crash->exception.empty();
  const bool is_signal = crash->kind == CrashKind::native && line.starts_with("signal ");
  if (crash->kind == CrashKind::java && is_head) {
    const auto colon = std::min(line.find(": "), line.size());
    crash->exception = line.substr(0, colon);
    crash->message = line.substr(std::min(colon + 2, line.size())).substr(0, kLongestMessage);
    return;
  }
  if (is_signal) crash->exception = line.substr(0, std::min(line.find(", code"), line.size()));
  if (crash->trace.size() < kMostTraceLines) {
    crash->trace.emplace_back(trimmed(line.substr(0, kLongestTraceLine)));
  }
}

std::vector<Crash> read_traces(std::string_view printed) {
  std::vector<Crash> traces;
  std::int32_t writer = -1;
  while (!printed.empty()) {
    const auto entry = adbproto::parse_log_line(take_line(&printed));
    if (!entry || (entry->tag != "AndroidRuntime" && entry->tag != "DEBUG")) continue;
    if (begins_crash(*entry)) {
      const bool native = entry->tag == "DEBUG";
      traces.push_back({.kind = native ? CrashKind::native : CrashKind::java,
                        .time_ms = milliseconds_of(entry->time)});
      writer = entry->pid;
    } else if (!traces.empty() && entry->pid == writer) {
      read_trace_line(&traces.back(), entry->message);
    }
  }
  return traces;
}

std::vector<Crash> read_events(std::string_view printed) {
  std::vector<Crash> events;
  while (!printed.empty()) {
    const auto entry = adbproto::parse_log_line(take_line(&printed));
    if (!entry) continue;
    if (auto event = read_event(*entry)) events.push_back(*std::move(event));
  }
  return events;
}

const Crash* later(const Crash* one, const Crash* other) {
  if (one == nullptr || other == nullptr) return one == nullptr ? other : one;
  return other->time_ms > one->time_ms ? other : one;
}

}  // namespace

bool is_process_of(std::string_view process, std::string_view package) {
  if (!process.starts_with(package)) return false;
  return process.size() == package.size() || process[package.size()] == ':';
}

CrashReport parse_crashes(std::string_view printed, std::string_view package) {
  const std::string mark = std::string(kCrashMark) + "\n";
  const auto at = printed.starts_with(mark) ? 0 : printed.find("\n" + mark);
  const auto events_end = at == printed.npos ? printed.size() : at;
  const auto foreign = [&](const Crash& crash) { return !is_process_of(crash.process, package); };
  std::vector<Crash> events = read_events(printed.substr(0, events_end));
  std::vector<Crash> traces = read_traces(printed.substr(events_end));
  std::erase_if(events, foreign);
  std::erase_if(traces, foreign);
  CrashReport report;
  const Crash* last = nullptr;
  for (const Crash& event : events) {
    ++(event.kind == CrashKind::anr ? report.anrs : report.crashes);
    last = later(last, &event);
  }
  for (const Crash& trace : traces) {
    const auto same = [&](const Crash& event) {
      return event.pid == trace.pid && event.kind != CrashKind::anr;
    };
    // Another event reports the same crash, a moment later.
    if (std::ranges::any_of(events, same)) continue;
    ++report.crashes;
    last = later(last, &trace);
  }
  if (last == nullptr) return report;
  report.last = *last;
  if (const auto now = whole_number<std::int64_t>(trimmed(take_line(&printed)))) {
    report.ago_ms = std::max<std::int64_t>(0, *now * 1000 - last->time_ms);
  }
  const auto trace = std::ranges::find(traces, last->pid, &Crash::pid);
  if (last->kind != CrashKind::anr && trace != traces.end()) report.last->trace = trace->trace;
  return report;
}

std::string_view kind_name(CrashKind kind) {
  static constexpr std::string_view kNames[] = {"java", "native", "anr"};
  return kNames[static_cast<std::size_t>(kind)];
}

JsonObject to_json(const Crash& crash) {
  JsonObject json;
  json.text("kind", kind_name(crash.kind)).number("timeMs", crash.time_ms);
  json.text("process", crash.process).number("pid", crash.pid);
  if (!crash.exception.empty()) json.text("exception", crash.exception);
  return json.text("message", crash.message).strings("trace", crash.trace);
}

namespace {

using namespace base::parallel;

constexpr std::chrono::seconds kCrashReadLimit(5);
constexpr std::int64_t kRecentMs = 600'000;

Task<CrashReport> read_crashes_of(TargetOptions target, std::string package,
                                  ResolveDevice resolve) {
  CO_TRY(const auto device, co_await resolve(std::move(target)));
  co_return co_await read_crashes(device.get(), std::move(package));
}

}  // namespace

Task<CrashReport> read_crashes(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  const auto [there, printed] =
      co_await (require_package(&services, package) && run_on_device(device, crashes_line()));
  CO_TRY_VOID(there);
  CO_TRY_VOID(printed);
  // A log that cannot be read is reported as unavailable; a divider stands at the head of one that
  // can.
  if (!printed->out.contains("---------") && !trimmed(printed->err).empty()) {
    co_return fail(errc::logcat_unavailable,
                   "the phone's log cannot be read: " + one_message(printed->err));
  }
  co_return parse_crashes(printed->out, package);
}

Task<JsonObject> find_recent_crash(TargetOptions target, std::string package,
                                   ResolveDevice resolve) {
  const auto report = co_await adbproto::with_deadline(
      read_crashes_of(std::move(target), std::move(package), std::move(resolve)), kCrashReadLimit,
      "the phone's log");
  const bool is_recent = report && report->last && report->ago_ms && *report->ago_ms < kRecentMs;
  if (!is_recent) co_return JsonObject();
  co_return to_json(*report->last).number("agoMs", *report->ago_ms);
}

namespace {

using namespace base::parallel;

constexpr std::string_view kLevels = "VDIWEF";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trimmed(line)).empty()) {
    words.push_back(line.substr(0, std::min(line.find_first_of(kBlanks), line.size())));
    line.remove_prefix(words.back().size());
  }
  return words;
}

Task<PackageProcesses> find_processes(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  const auto [there, sdk] = co_await (require_package(&services, package) && read_sdk(device));
  CO_TRY_VOID(there);
  CO_TRY_VOID(sdk);
  CO_TRY(const CommandOutput listing, co_await run_on_device(device, processes_line(*sdk)));
  PackageProcesses processes(std::move(package));
  processes.read_listing(listing.out);
  co_return processes;
}

class PackageLog {
 public:
  PackageLog(PackageProcesses processes, char level, OnLogLine on_line)
      : processes_(std::move(processes)),
        level_(kLevels.find(level)),
        on_line_(std::move(on_line)) {}

  // False where enough was read.
  Task<bool> feed(ByteView piece) {
    reader_.feed(piece);
    for (;;) {
      CO_TRY(const auto entry, reader_.next());
      if (!entry) co_return true;
      CO_TRY(const bool wanted, co_await take(*entry));
      if (!wanted) co_return false;
    }
  }
  Task<bool> finish() {
    const auto entry = reader_.finish();
    if (!entry) co_return true;
    co_return co_await take(*entry);
  }

 private:
  Task<bool> take(const adbproto::LogEntry& entry) {
    processes_.note(entry);
    const auto level = kLevels.find(entry.priority);
    if (level == kLevels.npos || level < level_ || !processes_.has(entry.pid)) co_return true;
    co_return co_await on_line_(entry);
  }

  adbproto::LogcatTextReader reader_;
  PackageProcesses processes_;
  std::size_t level_;
  OnLogLine on_line_;
};

Task<void> read_stream(adbproto::OutputStream* stream, PackageLog* log) {
  for (;;) {
    const auto piece = co_await stream->next();
    if (!piece && piece.error().code() == errc::closed && stream->exit_status()) break;
    if (!piece) co_return fail(errc::link_lost, "the phone's log: " + piece.error().message());
    CO_TRY(const bool wanted, co_await log->feed(*piece));
    if (!wanted) co_return ok();
  }
  CO_TRY_VOID(co_await log->finish());
  if (*stream->exit_status() == 0) co_return ok();
  co_return fail(errc::logcat_unavailable, "the phone's log ended: " + one_message(stream->err()));
}

}  // namespace

void PackageProcesses::read_listing(std::string_view printed) {
  const auto heads = words_of(take_line(&printed));
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(heads, name) - heads.begin());
  };
  const std::size_t pid_at = column("PID");
  while (!printed.empty()) {
    const auto words = words_of(take_line(&printed));
    // The name is the last column, whatever stands before it.
    if (words.size() < 2 || pid_at >= words.size()) continue;
    const auto pid = whole_number<std::int32_t>(words[pid_at]);
    if (pid && is_process_of(words.back(), package_)) pids_.insert(*pid);
  }
}

void PackageProcesses::note(const adbproto::LogEntry& entry) {
  constexpr std::string_view kStarted = "Start proc ";
  if (entry.tag != "ActivityManager" || !entry.message.starts_with(kStarted)) return;
  const std::string_view rest = std::string_view(entry.message).substr(kStarted.size());
  const auto colon = rest.find(':');
  const auto slash = rest.find('/');
  if (colon == rest.npos || slash == rest.npos || slash < colon) return;
  const auto pid = whole_number<std::int32_t>(rest.substr(0, colon));
  if (!pid) return;
  // Numbers are given to others once their process is gone.
  if (is_process_of(rest.substr(colon + 1, slash - colon - 1), package_)) {
    pids_.insert(*pid);
  } else {
    pids_.erase(*pid);
  }
}

Task<void> read_package_log(adbproto::Device* device, PackageLogRequest request,
                            OnLogLine on_line) {
  if (!device->features().has("shell_v2")) {
    co_return fail(errc::unsupported, "an app's log needs Android 7 or newer");
  }
  CO_TRY(auto processes, co_await find_processes(device, request.package));
  PackageLog log(std::move(processes), request.level, std::move(on_line));
  std::string service = adbproto::shell_v2_raw(package_log_line(request.level, request.end));
  CO_TRY(auto opened, co_await device->open(std::move(service)));
  adbproto::OutputStream stream(std::move(opened), adbproto::Framing::shell_v2);
  const auto read = co_await read_stream(&stream, &log);
  stream.close();
  co_return read;
}

}  // namespace clawperator
