// The lines of one app in the phone's log, and the Operator app's own crash log.
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
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "runtime/host/operator/crash_log.hpp"
#include "runtime/host/verbs/app_log.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator::cli {

namespace {

std::string crash_for_people(const std::string& package, const CrashReport& report) {
  if (!report.last) return package + " has no crash in the phone's log.\n";
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

constinit const Command kCrash = {.name = "crash",
                                  .usage = "<package>",
                                  .summary = "Print the last crash of an app",
                                  .details =
                                      "Reads am_crash and am_anr from the phone's event log, and "
                                      "the trace from its crash buffer.\n"
                                      "\"last\" is null if the logs have no crash of the app. "
                                      "Nothing is cleared. On Android 7 to 16.",
                                  .examples =
                                      "crash com.example.app\n"
                                      "crash com.example.app --output pretty\n",
                                  .run = run_crash,
                                  .most_words = 1};

namespace {

constexpr std::array kCrashLogOptions{
    Option{"--lines", "", Arity::one, "<n>", "print only the last n lines"},
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
    .summary = "Print the crash log of a debug build of the Operator app",
    .details =
        "Reads files/crash-log.txt in the app's private folder, at most the last 4 MiB: entries\n"
        "`<timestamp> [LEVEL] [thread] message` with their stack traces. Android allows this\n"
        "only for a debug build (--operator-package com.clawperator.operator.dev).",
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
    Option{"--package", "", Arity::one, "<package>", "the app"},
    Option{"--level", "", Arity::one, "<level>", "only lines of this level and above",
           "verbose debug info warn error fatal"},
    Option{"--lines", "", Arity::one, "<n>", "end after this many lines"},
    Option{"--no-follow", "", Arity::none, "", "print the present lines and end"},
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

// Prints the lines, and counts how many are still wanted.
class LineWriter {
 public:
  LineWriter(OutputMode mode, std::optional<std::uint32_t> most) : mode_(mode), left_(most) {}

  // Never blocks on a slow reader: a ready pipe has room for PIPE_BUF bytes.
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
  if (!is_package_name(*package)) return validation_error("--package must be a package name");
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
  // A signal is the normal end of a follow.
  if (!done && (caught_signal() == 0 || !follows)) return std::unexpected(done.error());
  return Answer{};
}

constinit const Command kLogTail = {
    .name = "log tail",
    .usage = "--package <package> [--level <level>] [--lines <n>] [--no-follow]",
    .summary = "Print what an app writes to the phone's log",
    .details =
        "Prints the lines of the app's processes among the last 1000 of the log, then new lines,\n"
        "also from processes that start later. Each line is one JSON object. Ends at Ctrl-C,\n"
        "after --lines lines, and when the output is closed; --timeout ends it with an error. On\n"
        "Android 7 to 16.",
    .examples =
        "log tail --package com.example.app --level warn\n"
        "log tail --package com.example.app --no-follow\n",
    .options = kLogTailOptions,
    .run = run_log_tail};

constexpr std::array<const Command*, 1> kLogSubcommands{&kLogTail};

}  // namespace

constinit const Command kLog = {.name = "log",
                                .usage = "tail --package <package> ...",
                                .summary = "Read one app's lines in the phone's log",
                                .details = "`logs` prints the log of this program.",
                                .examples = "log tail --package com.example.app --lines 20\n",
                                .subcommands = kLogSubcommands};

}  // namespace clawperator::cli
