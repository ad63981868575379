// agent-skills prompt, snapshot, commands, resolve

#include "base/json_text.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "skills/agent/rules/prompt.hpp"

namespace clawperator::cli {
namespace {

using agent_skills::Entry;
using agent_skills::Prompt;

constexpr auto kAgentWhichOptions = join(kFilterOptions, kRemoteOptions, kPlaceOptions);
constexpr auto kAgentPromptOptions =
    join(std::array{Option{"--system", "", Arity::none, "", "print a section for a system prompt"},
                    Option{"--read-tool", "", Arity::one, "<name>",
                           "the name of the model's tool that reads a file"}},
         kAgentWhichOptions);
constexpr auto kAgentCommandsOptions =
    join(std::array{Option{"--reserved", "", Arity::one, "<names>",
                           "names of other slash commands, separated by commas"}},
         kAgentWhichOptions);

Prompt prompt_of(const AgentWorkspace& opened, const std::vector<const Entry*>& eligible) {
  const std::string_view note = opened.remote ? std::string_view(opened.remote->note) : "";
  Prompt prompt = format_prompt(eligible, opened.workspace.config.limits, note);
  if (prompt.left_out > 0) {
    print_warning("[clawperator] WARN: " + std::to_string(prompt.left_out) +
                  " skills are left out because of skills.limits");
  }
  return prompt;
}

Result<Answer> run_agent_prompt(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  Prompt prompt = prompt_of(opened, opened.eligible());
  if (invocation.arguments.has("--system")) {
    const std::string tool = invocation.arguments.value_or("--read-tool", "read");
    prompt.text = agent_skills::system_section(prompt.text, tool);
  }
  return Answer{.json = JsonObject().text("prompt", prompt.text).str(), .text = prompt.text + "\n"};
}

Result<Answer> run_agent_snapshot(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const std::vector<const Entry*> eligible = opened.eligible();
  const Prompt prompt = prompt_of(opened, eligible);
  return Answer{snapshot_json(eligible, prompt, opened.workspace.folders.label, 0), {}, {}, 0};
}

std::vector<agent_skills::SlashCommand> commands_of(const Invocation& invocation,
                                                    const AgentWorkspace& opened) {
  const std::string reserved = invocation.arguments.value_or("--reserved", "");
  return slash_commands(opened.eligible(), names_of_list(reserved));
}

Result<Answer> run_agent_commands(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const auto commands = commands_of(invocation, opened);
  return Answer{agent_skills::commands_json(commands), {}, {}, 0};
}

Result<Answer> run_agent_resolve(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.size() != 1) return fail(errc::usage, "agent-skills resolve '/name what to do'");
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const auto commands = commands_of(invocation, opened);
  const auto resolved = agent_skills::resolve_command(words[0], commands);
  return Answer{resolution_json(resolved), {}, {}, 0};
}

}  // namespace

constinit const Command kAgentSkillsPrompt = host_command(
    "agent-skills prompt", "[--system [--read-tool <name>]] [--filter <names>] [--remote <file>]",
    "Print the agent skills for a model's prompt",
    "<available_skills> with name, description and location of each skill that may be used and\n"
    "is not hidden from models. --output pretty prints only this text. --system adds how to use\n"
    "the skills.",
    "agent-skills prompt --output pretty\n"
    "agent-skills prompt --system --filter weather,gog\n",
    kAgentPromptOptions, run_agent_prompt);

constinit const Command kAgentSkillsSnapshot =
    host_command("agent-skills snapshot", "[--filter <names>] [--remote <file>]",
                 "Print the skills snapshot of an agent's session",
                 "{\"prompt\",\"skills\",\"resolvedSkills\",\"version\"}.",
                 "agent-skills snapshot\n", kAgentWhichOptions, run_agent_snapshot);

constinit const Command kAgentSkillsCommands = host_command(
    "agent-skills commands", "[--reserved <names>] [--filter <names>] [--remote <file>]",
    "List the slash commands of the agent skills",
    "{\"commands\":[{\"name\",\"skillName\",\"description\",\"dispatch\"?}]}, for skills that a "
    "user may "
    "call.",
    "agent-skills commands --reserved help,stop\n", kAgentCommandsOptions, run_agent_commands);

constinit const Command kAgentSkillsResolve =
    host_command("agent-skills resolve",
                 "'/name what to do' [--reserved <names>] [--filter <names>] [--remote <file>]",
                 "Resolve a message with a slash command",
                 "`/name args` or `/skill name args`. The answer has the text for the model, or "
                 "the tool that the\n"
                 "skill calls. {\"matched\":false} for an ordinary message.",
                 "agent-skills resolve '/weather Berlin tomorrow'\n", kAgentCommandsOptions,
                 run_agent_resolve, 1);

}  // namespace clawperator::cli
