// The hub: a server with skills for agents.

#include "cli/commands/hub.hpp"

#include <filesystem>

#include "cli/output.hpp"
#include "cli/settings.hpp"
#include "skills/agent/workspace.hpp"
#include "skills/hub/names.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array<const Command*, 12> kHubSubcommands{
    &kHubSearch,  &kHubExplore, &kHubInstall,  &kHubUpdate, &kHubVerify, &kHubList,
    &kHubPublish, &kHubDelete,  &kHubUndelete, &kHubLogin,  &kHubLogout, &kHubWhoami};

// The folder of the skills if neither the command line nor the environment names one and the
// current folder has no lock file: the workspace in the agent's configuration.
std::filesystem::path default_workdir() {
  const auto config = agent_skills::load_config(agent_skills::find_skill_folders().config);
  if (config)
    return config->workspace.empty() ? "" : agent_skills::absolute_path(config->workspace);
  print_warning(config.error().message() + "; the current folder is the work folder");
  return {};
}

}  // namespace

Result<hub::Places> hub_places(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  hub::PlaceOptions options;
  options.registry = arguments.value_or("--registry", "");
  options.site = arguments.value_or("--site", "");
  options.workdir = expand_home(arguments.value_or("--workdir", ""));
  options.dir = expand_home(arguments.value_or("--dir", ""));
  TRY_VOID(check_path_length("--workdir", options.workdir));
  TRY_VOID(check_path_length("--dir", options.dir));
  if (arguments.value_or("--names", "") == "clawhub") options.names = hub::Names::clawhub;
  TRY(hub::Places places, hub::find_places(options, default_workdir));
  places.warn = [](const std::string& text) { print_warning(text); };
  return places;
}

Result<hub::SkillName> hub_skill_name(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (!words.empty()) return hub::checked_name(words[0]);
  return fail(errc::usage, std::string(invocation.command->name) + " needs the skill's slug");
}

constinit const Command kHub = {
    "hub",
    "clawdhub clawhub",
    "search|explore|install|update|verify|list|publish|delete|undelete|login|logout|whoami ...",
    "Find, install, update and publish skills for agents",
    R"(A hub keeps skills, folders with a SKILL.md, in versions. They are installed into skills/ of the
    work folder: the one of --workdir or CLAWHUB_WORKDIR, the current folder if it has a lock file, the
    workspace of the agent's configuration, else the current folder. A link to this program that is
    named clawdhub or clawhub runs `clawperator hub`.)",
    "hub search postgres backups\n"
    "hub install my-skill\n"
    "hub update --all\n",
    Reach::host,
    kHubOptions,
    nullptr,
    kHubSubcommands};

}  // namespace clawperator::cli
