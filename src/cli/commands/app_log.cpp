// What the phone's log has of one app, and the Operator app's own log of its crashes.
#include <cerrno>
#include <climits>

#include "base/async/output_descriptor.hpp"
#include "base/async/signal.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/people.hpp"
#include "cli/settings.hpp"
#include "runtime/host/operator/crash_log.hpp"
#include "runtime/host/verbs/app_log.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator::cli {

namespace {

std::string crash_for_people(const std::string& package, const CrashReport& report) {
  if (!report.last) return package + " has not crashed, as far back as the log reaches.\n";
  const Crash& last = *report.last;
  std::string text = std::string(kind_name(last.kind)) + " crash of " + last.process + ", pid " +
                     std::to_string(last.pid) + "\n" + last.exception +
                     (last.exception.empty() ? "" : ": ") + last.message + "\n";
  for (const std::string& line : last.trace) text += "  " + line + "\n";
  return printable(text);
}

Result<Answer> run_crash(const Invocation& invocation) {
  TRY(const std::string package, package_argument(invocation.arguments, "crash <package>"));
  TRY(const auto found,
      do_on_device<CrashReport>(invocation.globals, "crash",
                                [package](auto* device) { return read_crashes(device, package); }));
  const CrashReport& report = found.value;
  JsonObject json = verb_answer(found.device_id);
  json.text("package", package).number("crashes", report.crashes).number("anrs", report.anrs);
  if (report.last) {
    json.object("last", to_json(*report.last));
    if (report.ago_ms) json.number("agoMs", *report.ago_ms);
  } else {
    json.null("last");
  }
  return Answer{.json = json.str(), .text = crash_for_people(package, report)};
}

}  // namespace

constinit const Command kCrash = {
    .name = "crash",
    .usage = "<package>",
    .summary = "Tell the last crash of an app",
    .details =
        "As far back as the phone's log reaches: am_crash and am_anr of "
        "its events, and the trace of its\n"
        "buffer for crashes. \"last\":null where there is none. Nothing "
        "is cleared. On Android 7 to 16.",
    .examples =
        "crash com.example.app\n"
        "crash com.example.app --output pretty\n",
    .run = run_crash,
    .most_words = 1};

namespace {

constexpr std::array kCrashLogOptions{
    Option{"--lines", "", Arity::one, "<n>", "the last n lines only"},
};

Result<std::optional<std::uint32_t>> wanted_lines(const Arguments& arguments) {
  const std::string* given = arguments.value("--lines");
  if (given == nullptr) return std::nullopt;
  const auto count = whole_number<std::uint32_t>(*given);
  if (count.value_or(0) > 0) return *count;
  return fail(errc::usage, "--lines must be a positive number");
}

Result<Answer> run_crash_log(const Invocation& invocation) {
  TRY(const auto lines, wanted_lines(invocation.arguments));
  TRY(auto found,
      do_on_device<CrashLog>(invocation.globals, "crash-log",
                             [wanted = operator_package(invocation.globals)](auto* device) {
                               return read_crash_log(device, wanted);
                             }));
  CrashLog& log = found.value;
  const std::string& package = log.operator_package;
  if (lines) {
    std::string last(last_lines(log.text, *lines));
    log.truncated = log.truncated || last.size() < log.text.size();
    log.text = std::move(last);
  }
  JsonObject json;
  json.text("operatorPackage", package).text("deviceId", found.device_id);
  json.text("text", log.text).boolean("truncated", log.truncated);
  return Answer{.json = json.str(),
                .text = log.text.empty() ? package + " has logged no crash.\n" : log.text};
}

}  // namespace

constinit const Command kCrashLog = {
    .name = "crash-log",
    .usage = "[--lines <n>]",
    .summary = "Print the crash log of a debuggable Operator app",
    .details =
        "files/crash-log.txt in the app's private folder: entries `<timestamp> [LEVEL] [thread] "
        "message`\nwith their stack traces, at most the last 4 MiB. Android lets it be read on a "
        "debug build\nonly (--operator-package com.clawperator.operator.dev).",
    .examples =
        "crash-log --operator-package com.clawperator.operator.dev --output pretty\n"
        "crash-log --operator-package com.clawperator.operator.dev --lines 50\n",
    .options = kCrashLogOptions,
    .run = run_crash_log};

namespace {

struct LevelName {
  std::string_view name;
  char letter;
};
constexpr auto kLevelNames = std::to_array<LevelName>({{"verbose", 'V'},
                                                       {"debug", 'D'},
                                                       {"info", 'I'},
                                                       {"warn", 'W'},
                                                       {"error", 'E'},
                                                       {"fatal", 'F'}});

constexpr std::array kLogTailOptions{
    Option{"--package", "", Arity::one, "<package>", "the app whose lines are meant"},
    Option{"--level", "", Arity::one, "<level>", "only lines of at least this level",
           "verbose debug info warn error fatal"},
    Option{"--lines", "", Arity::one, "<n>", "end after so many lines"},
    Option{"--no-follow", "", Arity::none, "", "print what is there and end"},
};

std::string log_line_json(const adbproto::LogEntry& entry) {
  JsonObject json;
  json.text("time", entry.time).number("pid", entry.pid).number("tid", entry.tid);
  json.text("level", std::string_view(&entry.priority, 1)).text("tag", entry.tag);
  return json.text("message", entry.message).str();
}

std::string log_line_for_people(const adbproto::LogEntry& entry) {
  return entry.time + " " + std::to_string(entry.pid) + " " + entry.priority + " " + entry.tag +
         ": " + entry.message;
}

// What is printed of the lines, and how many are still wanted.
class LineWriter {
 public:
  LineWriter(OutputMode mode, std::optional<std::uint32_t> most) : mode_(mode), left_(most) {}

  // A reader that stalls holds up nothing: what has room for anything has room for PIPE_BUF bytes.
  Task<bool> write(const adbproto::LogEntry* entry) {
    std::string line =
        mode_ == OutputMode::pretty ? log_line_for_people(*entry) : log_line_json(*entry);
    line = line_for(Stream::out, std::move(line)) + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
      co_await adbproto::await_writable(static_cast<int>(Stream::out));
      if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
        co_return fail(errc::cancelled, "cancelled");
      }
      const std::string_view piece = rest.substr(0, PIPE_BUF);
      if (!write_all(Stream::out, piece)) {
        if (errno == EPIPE) co_return false;
        co_return fail(errc::file_write_failed, "cannot write to stdout");
      }
      rest.remove_prefix(piece.size());
    }
    co_return !left_ || --*left_ > 0;
  }

 private:
  OutputMode mode_;
  std::optional<std::uint32_t> left_;
};

Result<PackageLogRequest> read_log_request(const Arguments& arguments) {
  const std::string* package = arguments.value("--package");
  if (package == nullptr) {
    return missing_argument("log tail requires --package.", "log tail --package <package>");
  }
  if (!is_package_name(*package)) return validation_error("--package must be a package's name");
  PackageLogRequest request{.package = *package};
  if (const std::string* level = arguments.value("--level")) {
    for (const LevelName& known : kLevelNames) {
      if (known.name == *level) request.level = known.letter;
    }
  }
  if (arguments.has("--no-follow")) request.end = LogEnd::stop;
  return request;
}

Task<void> resolve_and_tail(TargetOptions target, PackageLogRequest request, LineWriter* writer) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  co_return co_await read_package_log(
      device.get(), std::move(request),
      [writer](const adbproto::LogEntry& entry) { return writer->write(&entry); });
}

Result<Answer> run_log_tail(const Invocation& invocation) {
  TRY(PackageLogRequest request, read_log_request(invocation.arguments));
  TRY(const auto lines, wanted_lines(invocation.arguments));
  const bool follows = request.end == LogEnd::follow;
  LineWriter writer(invocation.globals.output, lines);
  const auto done = run_limited(
      invocation.globals, resolve_and_tail(invocation.globals.target, std::move(request), &writer),
      "log tail");
  // To be stopped is how following ends.
  if (!done && (caught_signal() == 0 || !follows)) return std::unexpected(done.error());
  return Answer{};
}

constinit const Command kLogTail = {
    .name = "log tail",
    .usage = "--package <package> [--level <level>] [--lines <n>] [--no-follow]",
    .summary = "Print what an app writes to the phone's log",
    .details =
        "The lines of its processes among the last 1000 of the log, then those that come, also of\n"
        "processes that are started later: one JSON object each. Ends at Ctrl-C, after --lines, "
        "and\nwhen nobody reads any more; --timeout ends it with an error. On Android 7 to 16.",
    .examples =
        "log tail --package com.example.app --level warn\n"
        "log tail --package com.example.app --no-follow\n",
    .options = kLogTailOptions,
    .run = run_log_tail};

constexpr std::array<const Command*, 1> kLogSubcommands{&kLogTail};

}  // namespace

constinit const Command kLog = {.name = "log",
                                .usage = "tail --package <package> ...",
                                .summary = "The phone's log, as far as it is one app's",
                                .details = "`logs` is the log of this program.",
                                .examples = "log tail --package com.example.app --lines 20\n",
                                .subcommands = kLogSubcommands};

}  // namespace clawperator::cli
