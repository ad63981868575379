// migrate: the files and settings of upstream's command line, and how this program continues them

#include <algorithm>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/system/child_environment.hpp"
#include "base/system/environment.hpp"
#include "cli/client_settings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/upstream_traces.hpp"
#include "runtime/host/other_programs.hpp"
#include "skills/phone/repo.hpp"

namespace clawperator::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kMigrateOptions{
    Option{"--check", "", Arity::none, "", "list what was found; change nothing"},
    Option{"--do", "", Arity::none, "", "do the `todo` items; nothing is moved or removed"},
};

struct Step {
  std::string what{};
  std::string path{};
  std::optional<Error> error{};
};

// An entry of ours in a client's settings, or of upstream's, which has the same name and arguments.
// `next` of a todo is the command that --do runs.
std::optional<UpstreamTrace> trace_of_client(const McpClient& client, const std::string& own) {
  const auto file = settings_file_of(client);
  const auto program = read_entry_program(client);
  if (!file || (program && !*program)) return std::nullopt;
  UpstreamTrace trace{.what = "mcp", .path = file->string()};
  const std::string command = "clawperator mcp --print-config " + std::string(client.name);
  if (!program) {
    trace.standing = Standing::clash;
    trace.note = program.error().message();
    trace.next = command + " prints the entry";
  } else if (**program == own) {
    trace.standing = Standing::shared;
    trace.note = "its entry starts this program";
  } else {
    trace.standing = Standing::todo;
    trace.note = "its entry starts " + **program;
    trace.next = command + " --write";
  }
  return trace;
}

// A process number may be used again, so the process must match "node
// /usr/lib/node_modules/clawperator/dist/cli.js daemon run": a path with the name, and `daemon`.
bool is_upstream_process(int process) {
  constexpr std::size_t kMaxWords = 1 << 20;  // the kernel takes two, with the environment
  const auto words = read_file("/proc/" + std::to_string(process) + "/cmdline", kMaxWords);
  if (!words) return false;
  bool is_named = false;
  bool is_daemon = false;
  for_each_part(
      *words,
      [&](std::string_view word) {
        is_daemon = is_daemon || word == "daemon";
        for (const fs::path& name : fs::path(word)) {
          is_named = is_named || name == "clawperator" || name == "androperator";
        }
      },
      '\0');
  return is_named && is_daemon;
}

std::vector<UpstreamTrace> find_traces(const std::string& own) {
  auto traces = find_upstream_traces({.home = home_folder(),
                                      .programs = other_programs(),
                                      .variables = our_environment(),
                                      .is_running = is_upstream_process});
  for (const McpClient& client : mcp_clients()) {
    if (auto trace = trace_of_client(client, own)) traces.push_back(*std::move(trace));
  }
  return traces;
}

std::optional<Error> error_of(const auto& result) {
  return result ? std::nullopt : std::optional(result.error());
}

// Steps for the clients whose entry starts another program.
std::vector<Step> do_steps(const Invocation& invocation, std::span<const UpstreamTrace> traces,
                           const ServerEntry& entry) {
  std::vector<Step> steps;
  for (const UpstreamTrace& trace : traces) {
    if (trace.standing != Standing::todo || trace.what != "skills") continue;
    Invocation install = invocation;
    install.command = &kSkillsInstall;
    install.arguments = Arguments();
    steps.push_back({std::string(kInstallSkills), phone_skills::installed_repo(),
                     error_of(kSkillsInstall.run(install))});
  }
  for (const McpClient& client : mcp_clients()) {
    const auto trace = trace_of_client(client, entry.program);
    if (!trace || trace->standing != Standing::todo) continue;
    steps.push_back({trace->next, trace->path, error_of(write_entry(client, entry))});
  }
  return steps;
}

JsonObject trace_json(const UpstreamTrace& trace) {
  JsonObject json;
  json.text("what", trace.what).text("path", trace.path).text("standing", name_of(trace.standing));
  json.text("note", trace.note);
  if (!trace.next.empty()) json.text("next", trace.next);
  return json;
}

JsonObject step_json(const Step& step) {
  JsonObject json;
  json.text("step", step.what).text("path", step.path).boolean("ok", !step.error);
  if (step.error) json.json("error", to_json(*step.error));
  return json;
}

std::string migration_for_people(std::span<const UpstreamTrace> traces,
                                 std::span<const Step> steps) {
  if (traces.empty()) return "Nothing of upstream's command line was found.\n";
  std::string text;
  for (const UpstreamTrace& trace : traces) {
    text += std::string(name_of(trace.standing)) + "  " + trace.what + "  " +
            printable_name(trace.path) + "\n        " + printable_name(trace.note) + "\n";
    if (!trace.next.empty()) text += "        next: " + printable_name(trace.next) + "\n";
  }
  for (const Step& step : steps) {
    text += (step.error ? "FAILED  " : "done  ") + step.what + "\n";
    if (step.error) text += "        " + printable_name(step.error->message()) + "\n";
  }
  return text;
}

Result<Answer> run_migrate(const Invocation& invocation) {
  const bool does = invocation.arguments.has("--do");
  if (does == invocation.arguments.has("--check")) {
    return fail(errc::usage, "migrate requires --check or --do");
  }
  TRY(const ServerEntry entry, entry_of_this_program({}));
  const std::vector<UpstreamTrace> traces = find_traces(entry.program);
  const std::vector<Step> steps = does ? do_steps(invocation, traces, entry) : std::vector<Step>();
  const bool ok =
      std::ranges::none_of(steps, [](const Step& step) { return step.error.has_value(); });
  JsonObject json;
  json.boolean("ok", ok)
      .text("program", entry.program)
      .json("found", list_json(traces, trace_json));
  if (does) json.json("done", list_json(steps, step_json));
  return Answer{
      .json = json.str(), .text = migration_for_people(traces, steps), .exit_code = ok ? 0 : 1};
}

}  // namespace

constinit const Command kMigrate = host_command(
    "migrate", "--check|--do", "List what upstream's command line has left here, and take it over",
    "Searches for upstream's programs in PATH, its logs, skills, registry, downloads and daemons\n"
    "in ~/.clawperator and ~/.androperator, its variables, and entries in the settings of MCP\n"
    "clients. `standing` of each: shared (both programs use it), apart (this program has its\n"
    "own), clash (a person must decide; `next` is the suggestion), todo (--do does it: entries\n"
    "of MCP clients get this program's path, and missing skills are fetched over the network).\n"
    "Nothing is moved or removed. Ends with 1 if a step failed.",
    "migrate --check\nmigrate --check --output pretty\nmigrate --do\n", kMigrateOptions,
    run_migrate);

}  // namespace clawperator::cli
