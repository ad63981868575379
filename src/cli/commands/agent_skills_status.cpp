// agent-skills list, info, check, validate

#include <array>

#include "base/files.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/agent_skills.hpp"
#include "cli/pretty/agent_skills_for_people.hpp"
#include "cli/settings.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "skills/agent/validation.hpp"

namespace clawperator::cli {
namespace {

using agent_skills::StatusRow;

constexpr std::size_t kMaxSkillFile = 1 << 20;

constexpr auto kAgentListOptions = join(kEligibleOption, kRemoteOptions, kPlaceOptions);
constexpr auto kAgentInfoOptions = join(kRemoteOptions, kPlaceOptions);
constexpr std::array kAgentValidateOptions = kPlaceOptions;

Result<Answer> run_agent_validate(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  namespace fs = std::filesystem;
  fs::path file;
  std::error_code ignored;
  if (words.empty()) return fail(errc::usage, "agent-skills validate <folder|SKILL.md|name>");
  const fs::path named = agent_skills::absolute_path(words[0]);
  if (fs::is_directory(named, ignored)) {
    file = named / "SKILL.md";
  } else if (fs::exists(named, ignored)) {
    file = named;
  } else {
    TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
    TRY(const agent_skills::Entry* entry, entry_of(opened.workspace, words[0]));
    file = entry->skill.file_path;
  }
  if (!fs::is_regular_file(file, ignored)) {
    return fail(errc::agent_skill_invalid, file.string() + " is missing or no plain file");
  }
  auto text = read_file(file, kMaxSkillFile);
  if (!text) return fail(errc::agent_skill_invalid, text.error().message());
  const std::vector<std::string> broken =
      agent_skills::broken_rules(*text, file.parent_path().filename().string());
  if (!broken.empty()) {
    const auto details = ErrorMembers().text("path", file.string()).strings("problems", broken);
    return fail(errc::agent_skill_invalid, file.string() + ": " + broken.front(),
                ErrorMembers().object("details", details).str());
  }
  JsonObject json;
  json.boolean("valid", true).text("path", file.string());
  return Answer{json.strings("advice", agent_skills::advice_of(*text)).str(), {}, {}, 0};
}

}  // namespace

Result<Answer> answer_agent_list(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  tell_warnings(opened.workspace);
  std::vector<StatusRow> rows = status_rows(opened.workspace.entries, opened.gate());
  const bool only_eligible = invocation.arguments.has("--eligible");
  if (only_eligible) {
    std::erase_if(rows, [](const StatusRow& row) { return !row.standing.eligible; });
  }
  const agent_skills::Places& places = opened.workspace.places;
  Answer answer;
  answer.json = report_json(rows,
                            {.workspace_dir = places.workspace.string(),
                             .managed_dir = places.managed.string(),
                             .label = places.label},
                            opened.workspace.config, agent_skills::Detail::list);
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text =
        agent_list_for_people(rows, places.label, only_eligible, invocation.globals.verbose);
  }
  return answer;
}

Result<Answer> answer_agent_info(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return fail(errc::usage, std::string(invocation.command->name) + " <name>");
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const auto entry = entry_of(opened.workspace, words[0]);
  if (!entry) {
    // With what the agent's host says of it.
    return std::unexpected(with_members(
        entry.error(), ErrorMembers().text("error", "not found").text("skill", words[0])));
  }
  Answer answer;
  const std::vector<StatusRow> rows = status_rows(std::span(&*entry, 1), opened.gate());
  answer.json = info_json(rows[0], opened.workspace.places.label, opened.workspace.config);
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = agent_info_for_people(rows[0], opened.workspace.places.label);
  }
  return answer;
}

Result<Answer> answer_agent_check(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  tell_warnings(opened.workspace);
  const std::vector<StatusRow> rows = status_rows(opened.workspace.entries, opened.gate());
  Answer answer;
  answer.json = check_json(rows);
  if (invocation.globals.output == OutputMode::pretty) answer.text = agent_check_for_people(rows);
  return answer;
}

constinit const Command kAgentSkillsList = {
    "agent-skills list",
    "",
    "[--eligible] [--remote <file>] [--workspace <folder>]",
    "List the agent skills and whether each may be used",
    "{\"workspaceDir\",\"managedSkillsDir\",\"skills\"}; `missing` tells what a skill lacks. With\n"
    "--output pretty a table; --verbose adds what is missing to it. Files that are no skill are "
    "told\n"
    "on stderr.",
    "agent-skills list --eligible\n"
    "agent-skills list --output pretty --verbose\n",
    Reach::host,
    kAgentListOptions,
    answer_agent_list};

constinit const Command kAgentSkillsInfo = {
    "agent-skills info",
    "",
    "<name> [--remote <file>] [--workspace <folder>]",
    "Print all that is known of an agent skill",
    "By its name or its skillKey. Of what `requires.config` names, values are told only where "
    "they\n"
    "are numbers, true or false. AGENT_SKILL_NOT_FOUND where there is none of that name.",
    "agent-skills info gog\n",
    Reach::host,
    kAgentInfoOptions,
    answer_agent_info,
    {},
    1};

constinit const Command kAgentSkillsCheck = {
    "agent-skills check",
    "",
    "[--remote <file>] [--workspace <folder>]",
    "Sum up which agent skills may be used and what the others lack",
    "{\"summary\",\"eligible\",\"disabled\",\"blocked\",\"missingRequirements\"}.",
    "agent-skills check --output pretty\n",
    Reach::host,
    kAgentInfoOptions,
    answer_agent_check};

constinit const Command kAgentSkillsValidate = {
    "agent-skills validate",
    "",
    "<folder|SKILL.md|name> [--workspace <folder>]",
    "Check a SKILL.md against the AgentSkills specification",
    "The rules of agentskills.io for name, description, compatibility and fields; JSON in metadata "
    "and\n"
    "the fields of OpenClaw's family are allowed. AGENT_SKILL_INVALID lists every rule that is "
    "broken.\n"
    "What breaks them may be loaded all the same.",
    "agent-skills validate ./skills/my-skill\n",
    Reach::host,
    kAgentValidateOptions,
    run_agent_validate,
    {},
    1};

}  // namespace clawperator::cli
