// The phone's log, as far as it is one app's.
#include <array>
#include <cerrno>
#include <climits>

#include "adbproto/link/descriptors.hpp"
#include "adbproto/link/signal.hpp"
#include "base/number.hpp"
#include "base/utf8.hpp"
#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/pretty/people.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/host/verbs/app_facts.hpp"
#include "runtime/host/verbs/package_log.hpp"

namespace clawperator::cli {
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

  // A reader that stalls holds up nobody: what has room for anything has room for PIPE_BUF bytes.
  Task<bool> write(const adbproto::LogEntry& entry) {
    std::string line =
        mode_ == OutputMode::pretty ? log_line_for_people(entry) : log_line_json(entry);
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
      [writer](const adbproto::LogEntry& entry) { return writer->write(entry); });
}

Result<Answer> run_log_tail(const Invocation& invocation) {
  TRY(PackageLogRequest request, read_log_request(invocation.arguments));
  std::optional<std::uint32_t> lines;
  if (const std::string* given = invocation.arguments.value("--lines")) {
    lines = whole_number<std::uint32_t>(*given);
    if (lines.value_or(0) == 0) return fail(errc::usage, "--lines must be a positive number");
  }
  const bool follows = request.end == LogEnd::follow;
  LineWriter writer(invocation.globals.output, lines);
  const auto done = run_chore(
      invocation.globals, resolve_and_tail(invocation.globals.target, std::move(request), &writer),
      "log tail");
  // To be stopped is how following ends.
  if (!done && (caught_signal() == 0 || !follows)) return std::unexpected(done.error());
  return Answer{};
}

constinit const Command kLogTail = {
    "log tail",
    "",
    "--package <package> [--level <level>] [--lines <n>] [--no-follow]",
    "Print what an app writes to the phone's log",
    "The lines of its processes among the last 1000 of the log, then those that come, also of\n"
    "processes that are started later: one JSON object each. Ends at Ctrl-C, after --lines, and\n"
    "when nobody reads any more; --timeout ends it with an error. On Android 7 to 16.",
    "log tail --package com.example.app --level warn\n"
    "log tail --package com.example.app --no-follow\n",
    Reach::device,
    kLogTailOptions,
    run_log_tail};

constexpr std::array<const Command*, 1> kLogSubcommands{&kLogTail};

}  // namespace

constinit const Command kLog = {"log",
                                "",
                                "tail --package <package> ...",
                                "The phone's log, as far as it is one app's",
                                "`logs` is the log of this program.",
                                "log tail --package com.example.app --lines 20\n",
                                Reach::device,
                                {},
                                nullptr,
                                kLogSubcommands};

}  // namespace clawperator::cli
