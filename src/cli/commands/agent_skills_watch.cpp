// agent-skills watch

#include <cerrno>

#include "base/json_text.hpp"
#include "base/number.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "skills/agent/rules/prompt.hpp"
#include "skills/agent/skills_watcher.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kWatchOptions =
    join(std::array{Option{"--count", "", Arity::one, "<n>", "end after this many events"}},
         kPlaceOptions);

struct WatchRequest {
  agent_skills::WatchOptions options;
  OutputMode output = OutputMode::json;
  std::uint32_t left = 0;  // 0: no end
};

// False when the reader is gone.
Result<bool> print_refresh(const WatchRequest& request, const agent_skills::WatchEvent& event,
                           std::uint64_t version) {
  std::string line;
  if (request.output == OutputMode::pretty) {
    line = "refresh  " + printable_name(event.changed_path);
  } else {
    JsonObject json;
    json.text("event", "refresh").text("reason", "watch");
    line = json.text("changedPath", event.changed_path)
               .number("version", static_cast<std::int64_t>(version))
               .str();
  }
  if (write_all(Stream::out, line_for(Stream::out, std::move(line)) + "\n")) return true;
  if (errno == EPIPE) return false;
  return fail(errc::file_write_failed, "cannot write to stdout");
}

Task<void> show_refreshes(WatchRequest request) {
  agent_skills::SkillsWatcher watcher(co_await asio::this_coro::executor, request.options);
  CO_TRY_VOID(co_await watcher.start());
  std::string watched;
  for (const auto& root : request.options.roots) {
    watched += (watched.empty() ? "" : ", ") + root.string();
  }
  print_warning("watching " + watched);
  for (std::uint64_t version = 0;;) {
    CO_TRY(const agent_skills::WatchEvent event, co_await watcher.next());
    version = agent_skills::next_version(version, std::chrono::system_clock::now());
    CO_TRY(const bool is_read, print_refresh(request, event, version));
    const bool is_last = request.left == 1;
    if (request.left > 1) --request.left;
    if (!is_read || is_last) co_return ok();
  }
}

Result<Answer> run_agent_watch(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  WatchRequest request;
  request.output = invocation.globals.output;
  if (const std::string* given = arguments.value("--count")) {
    request.left = whole_number<std::uint32_t>(*given).value_or(0);
    if (request.left == 0) return fail(errc::usage, "--count must be a positive number");
  }
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const agent_skills::Workspace& workspace = opened.workspace;
  request.options.roots = watched_roots(workspace);
  if (request.options.roots.empty()) {
    JsonObject json;
    json.boolean("watching", false).text("message", "skills.load.watch is false");
    return Answer{json.str(), {}, {}, 0};
  }
  request.options.debounce = std::chrono::milliseconds(workspace.config.watch_debounce_ms);
  request.options.warn = [](const std::string& text) { print_warning(text); };
  const auto done = run_task(show_refreshes(std::move(request)));
  // A signal is the normal end of a watch.
  if (!done && caught_signal() == 0) return std::unexpected(done.error());
  return Answer{};
}

}  // namespace

constinit const Command kAgentSkillsWatch = host_command(
    "agent-skills watch", "[--count <n>] [--workspace <folder>]",
    "Print a line when agent skills change",
    "Watches the folders of skills of the workspace, of the state folder and of the\n"
    "configuration (skills.load.extraDirs). Prints a line for each burst of changes in their\n"
    "files:\n"
    "  {\"event\":\"refresh\",\"reason\":\"watch\",\"changedPath\":\"...\",\"version\":N}\n"
    "A burst ends after skills.load.watchDebounceMs (250) without a change. .git, node_modules\n"
    "and dist are ignored. More than 8192 folders are not watched: the deepest are compared every\n"
    "10 s. Ends at Ctrl-C, after --count events, and when the output is closed.",
    "agent-skills watch\n"
    "agent-skills watch --count 1\n",
    kWatchOptions, run_agent_watch);

}  // namespace clawperator::cli
