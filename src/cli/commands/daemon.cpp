// A process that keeps devices connected for the commands of its user.

#include <filesystem>

#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "base/system/spawn.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "runtime/daemon/client.hpp"
#include "runtime/daemon/daemon_server.hpp"
#include "runtime/daemon/errc.hpp"

namespace clawperator::cli {
namespace {

using std::chrono::milliseconds;

// A daemon answers once it listens; on a host under load its start takes seconds.
constexpr auto kStartLimit = milliseconds(10000);
// The longest execution may have to end first.
constexpr auto kStopLimit = milliseconds(140000);
// A listening socket has no event for its end; a poll of 20 ms is not noticeable.
constexpr auto kDaemonPoll = milliseconds(20);

constexpr std::array kIdleOption{
    Option{"--idle", "", Arity::one, "<minutes>",
           "end after this many minutes without a command; 1 to 10080"},
};

Result<std::optional<milliseconds>> read_idle(const Arguments& arguments) {
  const std::string* text = arguments.value("--idle");
  if (!text) return std::nullopt;
  const auto minutes = whole_number<int>(*text);
  if (minutes && *minutes >= 1 && *minutes <= 10080) return std::chrono::minutes(*minutes);
  return fail(errc::usage, "--idle must be a whole number of minutes from 1 to 10080");
}

// Refuses options that belong to single commands.
Result<void> check_globals(const Globals& globals) {
  TRY_VOID(refuse_accept_new(globals));
  if (!globals.backend) return {};
  return fail(errc::usage, "--backend is an option of each command, not of the daemon");
}

std::string with_ok(const std::string& object) { return R"({"ok":true,)" + object.substr(1); }

Result<Answer> run_as_daemon(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  TRY_VOID(check_globals(globals));
  EventLog log(log_options(globals));
  daemon::DaemonOptions options;
  TRY(options.idle_limit, read_idle(invocation.arguments));
  TRY(auto passed, daemon::take_passed_socket());
  if (passed) options.passed = *std::move(passed);
  options.target = globals.target;
  options.surface = surface_of(globals);
  options.log = &log;
  TRY(const std::string path, daemon::socket_path());
  warn_of_runtime_folders();
  options.on_listening = [&path] { print_warning("Clawperator daemon listening on " + path); };
  const auto done = run_task(daemon::run_daemon(std::move(options)));
  if (!done && done.error().code() != errc::cancelled) return std::unexpected(done.error());
  return Answer{};
}

// The daemon inherits the options that decide which devices it finds.
Result<std::vector<std::string>> words_of(const Invocation& invocation) {
  TRY_VOID(check_globals(invocation.globals));
  const auto self = own_program();
  if (self.empty()) return fail(errc::serve_failed, "/proc/self/exe cannot be read");
  const Globals& globals = invocation.globals;
  std::vector<std::string> words{self.string(), "daemon", "run"};
  const auto add = [&words](std::string name, const std::string& value) {
    words.insert(words.end(), {std::move(name), value});
  };
  if (globals.target.adb_server) add("--adb-server", *globals.target.adb_server);
  if (globals.log_level) add("--log-level", *globals.log_level);
  if (globals.trace) {
    std::error_code ignored;
    add("--trace", std::filesystem::absolute(expand_home(*globals.trace), ignored));
  }
  if (const std::string* idle = invocation.arguments.value("--idle")) add("--idle", *idle);
  return words;
}

Task<std::string> await_daemon(pid_t child) {
  for (;;) {
    CO_TRY(const auto status, co_await daemon::query_status());
    if (status) co_return *status;
    if (const auto code = exit_status_of(child)) {
      co_return fail(errc::serve_failed, "the daemon ended at once, with " + std::to_string(*code) +
                                             "; `clawperator daemon run` prints the reason");
    }
    co_await sleep_for(kDaemonPoll);
  }
}

Task<std::string> start_daemon(std::vector<std::string> words) {
  CO_TRY(const auto running, co_await daemon::query_status());
  if (running) {
    co_return JsonObject().boolean("started", false).json("daemon", *running).str();
  }
  CO_TRY(const pid_t child, spawn_program({.words = std::move(words),
                                           .needed_variables = "ADB_* ANDROID_* CLAWPERATOR_*",
                                           .bond = SpawnRequest::Bond::session}));
  CO_TRY(const std::string status,
         co_await with_deadline(await_daemon(child), kStartLimit, "starting the daemon"));
  co_return JsonObject().boolean("started", true).json("daemon", status).str();
}

Task<void> await_end() {
  for (;;) {
    CO_TRY(const bool ended, daemon::socket_is_free());
    if (ended) co_return ok();
    co_await sleep_for(kDaemonPoll);
  }
}

Task<std::string> stop_daemon() {
  CO_TRY(const bool asked, co_await daemon::request_stop());
  if (asked) {
    CO_TRY_VOID(co_await with_deadline(await_end(), kStopLimit, "the end of the daemon"));
  }
  co_return JsonObject().boolean("stopped", asked).str();
}

Task<std::string> status_of_daemon() {
  CO_TRY(const auto status, co_await daemon::query_status());
  co_return status.value_or(JsonObject().boolean("running", false).str());
}

Task<std::string> restart_daemon(std::vector<std::string> words) {
  CO_TRY_VOID(co_await stop_daemon());
  co_return co_await start_daemon(std::move(words));
}

Result<Answer> answer_with(Task<std::string> task) {
  TRY(const std::string object, run_task(std::move(task)));
  return Answer{.json = with_ok(object)};
}

Result<Answer> run_start(const Invocation& invocation) {
  TRY_VOID(read_idle(invocation.arguments));
  TRY(auto words, words_of(invocation));
  return answer_with(start_daemon(std::move(words)));
}

Result<Answer> run_restart(const Invocation& invocation) {
  TRY_VOID(read_idle(invocation.arguments));
  TRY(auto words, words_of(invocation));
  return answer_with(restart_daemon(std::move(words)));
}

Result<Answer> run_stop(const Invocation&) { return answer_with(stop_daemon()); }

Result<Answer> run_status(const Invocation&) { return answer_with(status_of_daemon()); }

constinit const Command kStart = {.name = "daemon start",
                                  .usage = "[--idle <minutes>]",
                                  .summary = "Start the daemon, unless it runs",
                                  .examples = "daemon start\ndaemon start --idle 30\n",
                                  .reach = Reach::host,
                                  .options = kIdleOption,
                                  .run = run_start};
constinit const Command kStop = {.name = "daemon stop",
                                 .summary = "End the daemon (or `serve`) after its current work",
                                 .examples = "daemon stop\n",
                                 .reach = Reach::host,
                                 .run = run_stop};
constinit const Command kStatus = {.name = "daemon status",
                                   .summary = "Report whether it runs, and its connected devices",
                                   .examples = "daemon status\n",
                                   .reach = Reach::host,
                                   .run = run_status};
constinit const Command kRestart = {.name = "daemon restart",
                                    .usage = "[--idle <minutes>]",
                                    .summary = "Stop the daemon and start it again",
                                    .examples = "daemon restart\n",
                                    .reach = Reach::host,
                                    .options = kIdleOption,
                                    .run = run_restart};
constinit const Command kRun = {.name = "daemon run",
                                .usage = "[--idle <minutes>]",
                                .summary = "Run the daemon in the foreground until stopped",
                                .examples = "daemon run\n",
                                .reach = Reach::host,
                                .options = kIdleOption,
                                .run = run_as_daemon};

constexpr std::array<const Command*, 5> kDaemonCommands{&kStart, &kStop, &kStatus, &kRestart,
                                                        &kRun};

}  // namespace

constinit const Command kDaemon = {
    .name = "daemon",
    .usage = "start|stop|status|restart|run",
    .summary = "Keep devices connected between commands",
    .details =
        "While the daemon or `serve` runs, commands with an execution use it: devices are\n"
        "already connected, and their logs are open. --no-daemon and CLAWPERATOR_NO_DAEMON turn\n"
        "this off. A command whose version, adb server, packages, log or folders differ from the\n"
        "daemon's runs without it. The command itself writes the files.",
    .examples = "daemon start\ndaemon status\ndaemon stop\n",
    .reach = Reach::host,
    .subcommands = kDaemonCommands};

}  // namespace clawperator::cli
