// agent-skills install

#include <unistd.h>

#include <iostream>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "skills/agent/installer.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/install_options.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kInstallToolsOptions = join(
    std::array{Option{"--dry-run", "", Arity::none, "", "print the plan and do nothing"},
               Option{"--yes", "", Arity::none, "", "do not ask; required without a terminal"}},
    kPlaceOptions);

std::string list_of(const std::vector<agent_skills::InstallOption>& options) {
  std::string list;
  for (const auto& option : options) {
    list += (list.empty() ? "" : ", ") + option.id + " (" + option.label + ")";
  }
  return list;
}

// The installer that is shown, if there is exactly one.
Result<std::string> only_install_id(const agent_skills::InstallerRequest& request) {
  const agent_skills::InstallHost host{.has_brew = find_program("brew").has_value()};
  const auto options = agent_skills::install_options(request.entry, request.config, host);
  const std::string& name = request.entry.skill.name;
  if (options.empty()) {
    return fail(errc::agent_skill_not_found, "'" + name + "' has no installer for this computer");
  }
  if (options.size() == 1) return options[0].id;
  return fail(errc::usage, "'" + name + "' has several installers; name one: " + list_of(options));
}

// One line about the plan, for the question on the terminal.
std::string intent_of(const agent_skills::InstallPlan& plan) {
  std::string text;
  for (const auto& step : plan.steps) {
    if (!text.empty()) text += ", then";
    for (const std::string& word : step.words) text += (text.empty() ? "" : " ") + word;
  }
  if (plan.download) text = plan.download->url + " to " + plan.download->target.string();
  return text;
}

Result<void> confirm(const Arguments& arguments, const agent_skills::InstallPlan& plan) {
  if (arguments.has("--yes")) return ok();
  if (::isatty(STDIN_FILENO) == 0) {
    return fail(
        errc::usage,
        "agent-skills install runs an installer that the skill names; read it with --dry-run, then "
        "give --yes");
  }
  write_all(Stream::err, printable_name("Install: " + intent_of(plan)) + "\nContinue? [y/N] ");
  std::string answer;
  std::getline(std::cin, answer);
  const std::string word = ascii_lower(trimmed(answer));
  if (word == "y" || word == "yes") return ok();
  return fail(errc::cancelled, "nothing was installed");
}

Result<agent_skills::InstallerRequest> read_install(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const auto& words = arguments.positionals();
  if (words.empty()) {
    return fail(errc::usage,
                "agent-skills install <skill> [<installId>] [--dry-run] [--yes] [--timeout <ms>]");
  }
  agent_skills::InstallerRequest request;
  TRY(request.timeout, time_limit(invocation.globals));
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const agent_skills::Workspace& workspace = opened.workspace;
  TRY(const agent_skills::Entry* entry, agent_skills::entry_of(workspace, words[0]));
  request.entry = *entry;
  request.config = workspace.config;
  request.state = workspace.folders.state;
  request.farewell = caught_signal;
  if (words.size() > 1) {
    request.install_id = words[1];
  } else {
    TRY(request.install_id, only_install_id(request));
  }
  return request;
}

Result<Answer> run_agent_install(const Invocation& invocation) {
  TRY(agent_skills::InstallerRequest request, read_install(invocation));
  if (invocation.arguments.has("--dry-run")) {
    TRY(std::string json, agent_skills::dry_run_json(request));
    return Answer{std::move(json), {}, {}, 0};
  }
  const auto planned = agent_skills::plan_install(request);
  if (!planned) return std::unexpected(agent_skills::plan_error(request, planned.error()));
  const agent_skills::InstallPlan& plan = *planned;
  TRY_VOID(confirm(invocation.arguments, plan));
  if (invocation.globals.output == OutputMode::pretty) {
    request.on_output = child_printer(Stream::err);
  }
  TRY(const agent_skills::InstallResult result,
      run_task(agent_skills::run_installer(std::move(request))));
  if (!result.ok) return std::unexpected(agent_skills::install_error(result));
  return Answer{agent_skills::install_json(result), {}, {}, 0};
}

}  // namespace

constinit const Command kAgentSkillsInstall = host_command(
    "agent-skills install",
    "<skill> [<installId>] [--dry-run] [--yes] [--timeout <ms>] [--workspace <folder>]",
    "Install the programs that an agent skill needs",
    "Runs one of the installers in the skill's metadata: brew, node (npm, pnpm, yarn or bun,\n"
    "without the package's scripts), go, uv, or a download into <state>/tools/<skill>. A tar.gz,\n"
    "tar.bz2 or zip is unpacked there. Without an installId the shown installer is used, if\n"
    "there is only one. On a terminal the command asks before it starts; elsewhere --yes is\n"
    "required. --timeout <ms> is from 1000 to 900000, default 300000.",
    "agent-skills install weather --dry-run\n"
    "agent-skills install weather brew-0 --yes\n",
    kInstallToolsOptions, run_agent_install, 2);

}  // namespace clawperator::cli
