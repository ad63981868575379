// agent-skills env, enable, disable, set

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/system/errc.hpp"
#include "base/system/spawn.hpp"
#include "base/text.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/payload.hpp"
#include "skills/agent/rules/status.hpp"
#include "skills/agent/workspace.hpp"

namespace clawperator::cli {
namespace {

using agent_skills::Entry;
using agent_skills::EnvPlan;
using agent_skills::EnvRules;

constexpr auto kAgentEnvOptions = join(
    std::array{Option{"--compat", "", Arity::none, "",
                      "include skills that may not be used, and skip the checks of variables"}},
    kFilterOptions, kRemoteOptions, kPlaceOptions);
constexpr auto kAgentSetOptions =
    join(std::array{Option{"--api-key", "", Arity::any, "<key>",
                           "the skill's key; '-': from stdin, '': remove it"}},
         kPlaceOptions);

EnvPlan env_plan(const Invocation& invocation, const AgentWorkspace& opened) {
  const bool compat = invocation.arguments.has("--compat");
  return plan_env(compat ? opened.workspace.entries : opened.eligible(), opened.workspace.config,
                  opened.host.variable, compat ? EnvRules::as_2026_01 : EnvRules::strict);
}

std::string plan_json(const EnvPlan& plan) {
  const auto variable_json = [](const agent_skills::EnvOverride& each) {
    return JsonObject().text("name", each.name).text("skill", each.skill);
  };
  const auto refusal_json = [](const agent_skills::EnvRefusal& each) {
    return JsonObject()
        .text("name", each.name)
        .text("skill", each.skill)
        .text("reason", each.reason);
  };
  return JsonObject()
      .json("variables", list_json(plan.overrides, variable_json))
      .json("refused", list_json(plan.refused, refusal_json))
      .str();
}

// Replaces this process by the program, so no other process gets the environment.
std::unexpected<Error> become(const std::vector<std::string>& words, const EnvPlan& plan) {
  const auto program = find_program(words[0]);
  if (!program) {
    return fail(errc::host_dependency_missing, words[0] + " is not on the PATH");
  }
  for (const auto& each : plan.refused) {
    print_warning("[clawperator] WARN: " + each.skill + " does not get " + each.name + ": " +
                  each.reason);
  }
  // The program must not inherit the signals that we ignore.
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
  ::unsetenv("CLAWPERATOR_TOKEN");  // `serve`'s token is not for skills
  for (const auto& each : plan.overrides) ::setenv(each.name.c_str(), each.value.c_str(), 1);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(program->c_str(), argv.data());
  return fail(errc::host_dependency_missing,
              program->string() + ": " + std::generic_category().message(errno));
}

Result<Answer> run_agent_env(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const EnvPlan plan = env_plan(invocation, opened);
  const auto& words = invocation.arguments.positionals();
  if (!words.empty()) return become(words, plan);
  return Answer{plan_json(plan), {}, {}, 0};
}

Result<Answer> change(const AgentWorkspace& opened, const std::string& name,
                      agent_skills::SkillChange wanted) {
  TRY(const Entry* entry, entry_of(opened.workspace, name));
  wanted.key = entry->key();
  TRY(std::string json, change_skill(opened.workspace.folders, wanted));
  return Answer{std::move(json), {}, {}, 0};
}

template <bool enabled>
Result<Answer> toggle(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return fail(errc::usage, std::string(invocation.command->name) + " <name>");
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  return change(opened, words[0], {.enabled = enabled});
}

Result<Answer> run_agent_set(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  const std::string* api_key = invocation.arguments.value("--api-key");
  if (words.empty() || (words.size() == 1 && api_key == nullptr)) {
    return fail(errc::usage, "agent-skills set <name> [--api-key <key>|-] [NAME=VALUE...]");
  }
  agent_skills::SkillChange wanted;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (equals == std::string::npos || is_blank(std::string_view(words[i]).substr(0, equals))) {
      return fail(errc::usage, "expected NAME=VALUE; NAME= removes a variable");
    }
    wanted.env.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
  }
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  if (api_key != nullptr && *api_key == "-") {
    TRY(wanted.api_key, read_payload("-"));
  } else if (api_key != nullptr) {
    wanted.api_key = *api_key;
  }
  return change(opened, words[0], std::move(wanted));
}

}  // namespace

constinit const Command kAgentSkillsEnv =
    host_command("agent-skills env", "[--filter <names>] [--compat] [-- <program> <args...>]",
                 "Run a program with the variables of the agent skills",
                 "The variables are skills.entries.<key>.env, and apiKey as the skill's "
                 "primaryEnv. A variable that\n"
                 "the environment already has is kept. Without a program the names are printed, "
                 "never the values.\n"
                 "The program replaces this process. Variables that change which programs run, and "
                 "secrets that a\n"
                 "skill does not declare, are refused unless --compat is given.",
                 "agent-skills env\n"
                 "agent-skills env -- my-agent --task 'say hello'\n",
                 kAgentEnvOptions, run_agent_env, kAnyWords);

constinit const Command kAgentSkillsEnable =
    host_command("agent-skills enable", "<name>", "Enable an agent skill",
                 "Writes skills.entries.<key>.enabled into the configuration; the rest of the file "
                 "stays unchanged.",
                 "agent-skills enable gog\n", kPlaceOptions, toggle<true>, 1);

constinit const Command kAgentSkillsDisable = host_command(
    "agent-skills disable", "<name>", "Disable an agent skill", "Like `agent-skills enable`.",
    "agent-skills disable gog\n", kPlaceOptions, toggle<false>, 1);

constinit const Command kAgentSkillsSet = host_command(
    "agent-skills set", "<name> [--api-key <key>|-] [NAME=VALUE...]",
    "Set the key and the variables of an agent skill",
    "Writes skills.entries.<key> into the configuration, and makes the file private (mode 600).\n"
    "--api-key - reads the key from stdin, so that no other process sees it. A blank key removes\n"
    "the key, and NAME= removes the variable. '${NAME}' as a value is replaced from the\n"
    "environment when the configuration is read. The answer hides every value.",
    "agent-skills set gog --api-key -\n"
    "agent-skills set gog GOG_ACCOUNT=me@example.com\n",
    kAgentSetOptions, run_agent_set, kAnyWords);

}  // namespace clawperator::cli
