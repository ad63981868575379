#include <poll.h>
#include <unistd.h>

#include <asio/post.hpp>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "base/async/folder_watch.hpp"
#include "base/json_document.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/log/log_reader.hpp"

namespace clawperator::cli {
namespace {

// Some folders have no inotify events (NFS, no watch left), so the log is also polled.
constexpr auto kFallbackPoll = std::chrono::seconds(2);

constexpr std::array kLogsOptions{
    Option{"--no-follow", "", Arity::none, "", "print the present lines and end"},
    Option{"--follow", "", Arity::none, "", "wait for the log if there is none yet"},
    Option{"--since", "", Arity::one, "<when>",
           "from this time on, also of earlier days: a time (2026-11-22T08:00) or an age (10m, 2h, "
           "1d)"},
    Option{"--level", "", Arity::one, "<level>", "only events of this level and above",
           "debug info warn error"},
    Option{"--command", "--command-id", Arity::one, "<commandId>", "only events of this command"},
};

enum class Follow { no, if_there, yes };

struct LogRequest {
  std::string folder;
  std::string first_day;
  LogFilter filter;
  Follow follow = Follow::if_there;
  OutputMode output = OutputMode::json;
};

LogTime now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string local_time(LogTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const std::time_t count = seconds.time_since_epoch().count();
  std::tm parts{};
  std::array<char, 32> text{};
  ::localtime_r(&count, &parts);
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%03d",
                static_cast<int>((time - seconds).count()));
  return text.data();
}

// 2026-11-22 09:13:21.123  WARN   envelope.received  the sentence  commandId=c-1 durationMs=12
std::string line_for_people(const std::string& line) {
  const auto event = read_json(line, kMaxLogLine);
  if (!event || !event->is_object()) return line;
  const auto member = [&](std::string_view name) {
    const std::string* text = string_value(find_member(*event, name));
    return text != nullptr ? *text : std::string();
  };
  const auto time = parse_timestamp(member("ts"));
  std::string level = member("level");
  for (char& c : level) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  level.resize(std::max<std::size_t>(level.size(), 5), ' ');
  std::string text = (time ? local_time(*time) : member("ts")) + "  " + level + "  " +
                     member("event") + "  " + member("message");
  for (const auto& [name, value] : event->items()) {
    if (name == "ts" || name == "level" || name == "event" || name == "message") continue;
    text += (text.ends_with(' ') ? "" : "  ") + name + "=" +
            (value.is_string() ? value.get<std::string>() : write_json(value)) + " ";
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

// False when the reader is gone.
Result<bool> print_lines(const LogRequest& request, const std::vector<std::string>& lines) {
  const bool pretty = request.output == OutputMode::pretty;
  const bool terminal = pretty || ::isatty(STDOUT_FILENO) != 0;
  std::string text;
  for (const std::string& line : lines) {
    if (!request.filter.lets_through(line)) continue;
    std::string shown = pretty ? line_for_people(line) : line;
    text += (terminal ? printable_name(std::move(shown)) : shown) + "\n";
  }
  if (write_all(Stream::out, text)) return true;
  if (errno == EPIPE) return false;
  return fail(errc::file_write_failed, "cannot write to stdout");
}

bool reader_has_gone() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return ::poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

// Signals are handled between two portions.
Task<bool> print_what_is_there(const LogRequest* request, LogReader* reader) {
  std::vector<std::string> lines;
  while (reader->read(lines)) {
    CO_TRY(const bool read, print_lines(*request, lines));
    if (!read) co_return false;
    lines.clear();
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
  }
  co_return true;
}

Task<bool> show_log(LogRequest request) {
  adbproto::FolderWatch watch(request.folder);
  LogReader reader(request.folder, request.first_day, [] { return local_day(now()); });
  for (;;) {
    CO_TRY(const bool read, co_await print_what_is_there(&request, &reader));
    if (!read || reader_has_gone()) co_return true;
    if (request.follow == Follow::no || (!reader.found_any() && request.follow != Follow::yes)) {
      break;
    }
    co_await wait_change(&watch, kFallbackPoll);
  }
  std::vector<std::string> rest;
  reader.finish(rest);
  if (!reader.found_any()) {
    print_warning("No log file found at " + request.folder + "/" + log_file_name(local_day(now())));
  }
  co_return print_lines(request, rest);
}

Result<LogRequest> read_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY_VOID(finite_timeout_or(invocation.globals,
                             0));  // `logs` has no time limit, but a wrong value is an error
  LogRequest request;
  request.folder = log_options(invocation.globals).folder;
  request.output = invocation.globals.output;
  if (arguments.has("--follow") && arguments.has("--no-follow")) {
    return fail(errc::usage, "use --follow OR --no-follow, not both");
  }
  if (arguments.has("--follow")) request.follow = Follow::yes;
  if (arguments.has("--no-follow")) request.follow = Follow::no;
  if (const std::string* when = arguments.value("--since")) {
    TRY(request.filter.since, parse_since(*when, now()));
  }
  if (const std::string* level = arguments.value("--level")) {
    request.filter.at_least = parse_log_level(*level);
  }
  if (const std::string* command = arguments.value("--command")) {
    if (command->empty()) return fail(errc::usage, "--command requires a value");
    request.filter.command_id = *command;
  }
  request.first_day = local_day(request.filter.since.value_or(now()));
  return request;
}

Result<Answer> run_logs(const Invocation& invocation) {
  TRY(LogRequest request, read_request(invocation));
  const auto shown = run_task(show_log(std::move(request)));
  if (!shown && caught_signal() == 0) return std::unexpected(shown.error());
  return Answer{};
}

}  // namespace

constinit const Command kLogs = {
    .name = "logs",
    .usage = "[--no-follow | --follow] [--since <when>] [--level <level>] [--command <commandId>]",
    .summary = "Print today's log, then new lines",
    .details =
        "The log is in ~/.clawperator/logs (CLAWPERATOR_LOG_DIR): one JSON object a line.\n"
        "--output pretty prints lines for people. Ends at Ctrl-C, and when the output is closed.\n"
        "Without a log it prints a warning and ends; --follow waits for the log.",
    .examples =
        "logs\n"
        "logs --no-follow --since 2h --level warn\n"
        "logs --since 2026-11-22T08:00 --output pretty\n",
    .reach = Reach::host,
    .options = kLogsOptions,
    .run = run_logs};

}  // namespace clawperator::cli
