// agent-skills: folders with a SKILL.md that explain something to a model; list, info, check,
// validate

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/boxed_table.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/frontmatter.hpp"
#include "skills/agent/rules/prompt.hpp"

namespace clawperator::cli {
namespace {

using agent_skills::Entry;
using agent_skills::Standing;
using agent_skills::StatusRow;

constexpr const char* kTip =
    "\nTip: use `clawperator hub` to search, install, and update skills.\n";

std::size_t terminal_width() {
  constexpr std::size_t kOtherwise = 120;
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kOtherwise;
}

std::string with_tilde(std::string text) {
  const std::string folder = home_folder();
  if (folder.size() < 2) return text;
  return replaced(text, folder, "~");
}

const char* status_word(const Standing& standing) {
  if (standing.disabled) return "⏸ disabled";
  if (standing.is_blocked()) return "🚫 blocked";
  return standing.eligible ? "✓ ready" : "✗ missing";
}

const char* status_words(const Standing& standing) {
  if (standing.disabled) return "⏸ Disabled";
  if (standing.is_blocked()) return "🚫 Blocked by allowlist";
  return standing.eligible ? "✓ Ready" : "✗ Missing requirements";
}

std::string name_with_emoji(const Entry& entry) {
  const std::string emoji = entry.emoji.empty() ? "📦" : printable_name(entry.emoji);
  return emoji + " " + printable_name(entry.skill.name);
}

void add_needs(std::string* out, const char* title, const std::vector<std::string>& wanted,
               const std::vector<std::string>& missing) {
  if (wanted.empty()) return;
  out->append("  ").append(title).append(": ");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool lacks = std::ranges::find(missing, wanted[i]) != missing.end();
    *out += std::string(i > 0 ? ", " : "") + (lacks ? "✗ " : "✓ ") + printable_name(wanted[i]);
  }
  *out += "\n";
}

std::string agent_list_for_people(std::span<const StatusRow> rows, std::string_view label,
                                  bool only_eligible, bool with_missing) {
  if (rows.empty()) {
    return std::string(only_eligible ? "No eligible skills found. Run `clawperator agent-skills "
                                       "list` to see all skills.\n"
                                     : "No skills found.\n") +
           kTip;
  }
  const auto ready =
      std::ranges::count_if(rows, [](const StatusRow& row) { return row.standing.eligible; });
  std::vector<Column> columns{
      {"Status", 10}, {"Skill", 18, true}, {"Description", 24, true}, {"Source", 10}};
  if (with_missing) columns.push_back({"Missing", 18, true});
  std::vector<std::vector<std::string>> cells;
  for (const StatusRow& row : rows) {
    const Entry& entry = *row.entry;
    std::vector<std::string> line{status_word(row.standing), name_with_emoji(entry),
                                  with_tilde(printable(entry.skill.description)),
                                  source_label(label, entry.skill.source)};
    if (with_missing) line.push_back(printable(missing_text(row.standing)));
    cells.push_back(std::move(line));
  }
  const std::size_t width = std::max<std::size_t>(60, terminal_width() - 1);
  return "Skills (" + std::to_string(ready) + "/" + std::to_string(rows.size()) + " ready)\n" +
         boxed_table(columns, cells, width) + kTip;
}

std::string agent_info_for_people(const StatusRow& row, std::string_view label) {
  const Entry& entry = *row.entry;
  std::string out = name_with_emoji(entry) + " " + status_words(row.standing) + "\n\n" +
                    printable(entry.skill.description) +
                    "\n\nDetails:\n  Source: " + source_label(label, entry.skill.source) +
                    "\n  Path: " + with_tilde(printable_name(entry.skill.file_path)) + "\n";
  if (!entry.homepage.empty()) out += "  Homepage: " + printable_name(entry.homepage) + "\n";
  if (!entry.metadata.primary_env.empty()) {
    out += "  Primary env: " + printable_name(entry.metadata.primary_env) + "\n";
  }
  std::string needs;
  const auto& wanted = entry.metadata.needs;
  const auto& missing = row.standing.missing;
  add_needs(&needs, "Binaries", wanted.bins, missing.bins);
  add_needs(&needs, "Any binaries", wanted.any_bins, missing.any_bins);
  add_needs(&needs, "Environment", wanted.env, missing.env);
  add_needs(&needs, "Config", wanted.config, missing.config);
  add_needs(&needs, "OS", entry.metadata.os, row.standing.missing_os);
  if (!needs.empty()) out += "\nRequirements:\n" + needs;
  if (!row.install.empty() && !row.standing.eligible) {
    out += "\nInstall options:\n";
    for (const auto& option : row.install) out += "  → " + printable_name(option.label) + "\n";
  }
  return out + kTip;
}

std::string agent_check_for_people(std::span<const StatusRow> rows) {
  std::string ready;
  std::string lacking;
  std::size_t counts[4] = {};  // eligible, disabled, blocked, missing
  for (const StatusRow& row : rows) {
    const Standing& standing = row.standing;
    const std::string name = "  " + name_with_emoji(*row.entry);
    if (standing.eligible) {
      ++counts[0];
      ready += name + "\n";
    } else if (standing.disabled) {
      ++counts[1];
    } else if (standing.is_blocked()) {
      ++counts[2];
    } else {
      ++counts[3];
      lacking += name + " (" + printable_name(missing_text(standing)) + ")\n";
    }
  }
  std::string out = "Skills Status Check\n\nTotal: " + std::to_string(rows.size());
  out +=
      "\n✓ Eligible: " + std::to_string(counts[0]) + "\n⏸ Disabled: " + std::to_string(counts[1]);
  out += "\n🚫 Blocked by allowlist: " + std::to_string(counts[2]);
  out += "\n✗ Missing requirements: " + std::to_string(counts[3]) + "\n";
  if (!ready.empty()) out += "\nReady to use:\n" + ready;
  if (!lacking.empty()) out += "\nMissing requirements:\n" + lacking;
  return out + kTip;
}

constexpr std::size_t kMaxSkillFile = 1 << 20;  // equals kMostRead of a workspace's SKILL.md

constexpr auto kAgentListOptions = join(kEligibleOption, kRemoteOptions, kPlaceOptions);
constexpr auto kAgentInfoOptions = join(kRemoteOptions, kPlaceOptions);

Result<Answer> run_agent_validate(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  namespace fs = std::filesystem;
  fs::path file;
  if (words.empty()) return fail(errc::usage, "agent-skills validate <folder|SKILL.md|name>");
  const fs::path named = agent_skills::absolute_path(words[0]);
  if (is_folder(named)) {
    file = named / "SKILL.md";
  } else if (is_there(named)) {
    file = named;
  } else {
    TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
    TRY(const agent_skills::Entry* entry, entry_of(opened.workspace, words[0]));
    file = entry->skill.file_path;
  }
  if (!is_plain_file(file)) {
    return fail(errc::agent_skill_invalid, file.string() + " is missing or no plain file");
  }
  TRY(const std::string text, with_code(errc::agent_skill_invalid, read_file(file, kMaxSkillFile)));
  const std::vector<std::string> broken =
      agent_skills::broken_rules(text, file.parent_path().filename().string());
  if (!broken.empty()) {
    return fail_with(errc::agent_skill_invalid, file.string() + ": " + broken.front(),
                     ErrorMembers().text("path", file.string()).strings("problems", broken));
  }
  JsonObject json;
  json.boolean("valid", true).text("path", file.string());
  return Answer{json.strings("advice", agent_skills::advice_of(text)).str(), {}, {}, 0};
}

constexpr std::array<const Command*, 14> kAgentSkillsSubcommands{
    &kAgentSkillsList,    &kAgentSkillsInfo,     &kAgentSkillsCheck,    &kAgentSkillsValidate,
    &kAgentSkillsPrompt,  &kAgentSkillsSnapshot, &kAgentSkillsCommands, &kAgentSkillsResolve,
    &kAgentSkillsEnv,     &kAgentSkillsEnable,   &kAgentSkillsDisable,  &kAgentSkillsSet,
    &kAgentSkillsInstall, &kAgentSkillsWatch};

}  // namespace

Result<Answer> answer_agent_list(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  print_warnings(opened.workspace.warnings);
  std::vector<StatusRow> rows = status_rows(opened.workspace.entries, opened.gate());
  const bool only_eligible = invocation.arguments.has("--eligible");
  if (only_eligible) {
    std::erase_if(rows, [](const StatusRow& row) { return !row.standing.eligible; });
  }
  Answer answer{.json = report_json(opened.workspace, rows, agent_skills::Detail::list)};
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = agent_list_for_people(rows, opened.workspace.folders.label, only_eligible,
                                        invocation.globals.verbose);
  }
  return answer;
}

Result<Answer> answer_agent_info(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return fail(errc::usage, std::string(invocation.command->name) + " <name>");
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  const auto entry = entry_of(opened.workspace, words[0]);
  if (!entry) {
    // With the members that the agent's host uses for this error.
    return std::unexpected(with_members(
        entry.error(), ErrorMembers().text("error", "not found").text("skill", words[0])));
  }
  const std::vector<StatusRow> rows = status_rows(std::span(&*entry, 1), opened.gate());
  const std::string& label = opened.workspace.folders.label;
  return Answer{.json = info_json(rows[0], label, opened.workspace.config),
                .text = agent_info_for_people(rows[0], label)};
}

Result<Answer> answer_agent_check(const Invocation& invocation) {
  TRY(const AgentWorkspace opened, open_agent_workspace(invocation));
  print_warnings(opened.workspace.warnings);
  const std::vector<StatusRow> rows = status_rows(opened.workspace.entries, opened.gate());
  return Answer{.json = check_json(rows), .text = agent_check_for_people(rows)};
}

constinit const Command kAgentSkillsList = host_command(
    "agent-skills list", "[--eligible] [--remote <file>] [--workspace <folder>]",
    "List the agent skills and whether each may be used",
    R"({"workspaceDir","managedSkillsDir","skills"}; `missing` lists what a skill lacks. --output
    pretty prints a table; --verbose adds `missing` to it. stderr names the files that are no
    skills, with the reason.)",
    "agent-skills list --eligible\n"
    "agent-skills list --output pretty --verbose\n",
    kAgentListOptions, answer_agent_list);

constinit const Command kAgentSkillsInfo = host_command(
    "agent-skills info", "<name> [--remote <file>] [--workspace <folder>]",
    "Print all facts about an agent skill",
    R"(The skill is named by its name or its skillKey. Values under `requires.config` are printed only
    if they are numbers, true or false. An unknown name is AGENT_SKILL_NOT_FOUND.)",
    "agent-skills info gog\n", kAgentInfoOptions, answer_agent_info, 1);

constinit const Command kAgentSkillsCheck =
    host_command("agent-skills check", "[--remote <file>] [--workspace <folder>]",
                 "Summarise which agent skills may be used and what the others lack",
                 "{\"summary\",\"eligible\",\"disabled\",\"blocked\",\"missingRequirements\"}.",
                 "agent-skills check --output pretty\n", kAgentInfoOptions, answer_agent_check);

constinit const Command kAgentSkillsValidate =
    host_command("agent-skills validate", "<folder|SKILL.md|name> [--workspace <folder>]",
                 "Check a SKILL.md against the AgentSkills specification",
                 "The rules of agentskills.io for name, description, compatibility and fields. "
                 "JSON in metadata\n"
                 "and the fields of OpenClaw's family are allowed. AGENT_SKILL_INVALID lists every "
                 "broken rule.\n"
                 "A skill that breaks a rule may still be loaded.",
                 "agent-skills validate ./skills/my-skill\n", kPlaceOptions, run_agent_validate, 1);

constinit const Command kAgentSkills = {
    "agent-skills",
    "",
    "list|info|check|validate|prompt|snapshot|commands|resolve|env|enable|disable|set|install|"
    "watch ...",
    "Agent skills (SKILL.md folders): list them, check what they need, print a model's prompt",
    "Agent skills are folders with a SKILL.md, as in AgentSkills and OpenClaw. Of several skills\n"
    "with one name the last in this order counts: skills.load.extraDirs of the configuration,\n"
    "bundled ones, ~/.openclaw/skills, <workspace>/skills. The older names ~/.clawdbot and\n"
    "~/.clawdis work, too, like OPENCLAW_STATE_DIR, OPENCLAW_CONFIG_PATH and\n"
    "OPENCLAW_BUNDLED_SKILLS_DIR under theirs. The registry's skills are different ones: see\n"
    "`skills`.",
    "agent-skills list --output pretty\n"
    "agent-skills prompt\n"
    "agent-skills set gog --api-key -\n",
    Reach::host,
    {},
    nullptr,
    kAgentSkillsSubcommands};

}  // namespace clawperator::cli
