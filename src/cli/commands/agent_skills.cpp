// Agent skills: folders with a SKILL.md that tell a model how to use something.

#include "cli/commands/agent_skills.hpp"

#include <array>

#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array<const Command*, 14> kAgentSkillsSubcommands{
    &kAgentSkillsList,    &kAgentSkillsInfo,     &kAgentSkillsCheck,    &kAgentSkillsValidate,
    &kAgentSkillsPrompt,  &kAgentSkillsSnapshot, &kAgentSkillsCommands, &kAgentSkillsResolve,
    &kAgentSkillsEnv,     &kAgentSkillsEnable,   &kAgentSkillsDisable,  &kAgentSkillsSet,
    &kAgentSkillsInstall, &kAgentSkillsWatch};

}  // namespace

constinit const Command kAgentSkills = {
    "agent-skills",
    "",
    "list|info|check|validate|prompt|snapshot|commands|resolve|env|enable|disable|set|install|"
    "watch ...",
    "Agent skills (SKILL.md folders): what there is, what it needs, what a model is told",
    "Folders with a SKILL.md as AgentSkills and OpenClaw have them. Of one name the last counts:\n"
    "skills.load.extraDirs of the configuration, bundled ones, ~/.openclaw/skills, "
    "<workspace>/skills.\n"
    "The older names ~/.clawdbot and ~/.clawdis, and OPENCLAW_STATE_DIR, OPENCLAW_CONFIG_PATH,\n"
    "OPENCLAW_BUNDLED_SKILLS_DIR with theirs, are known. These are no skills of the registry: "
    "`skills`.",
    "agent-skills list --output pretty\n"
    "agent-skills prompt\n"
    "agent-skills set gog --api-key -\n",
    Reach::host,
    {},
    nullptr,
    kAgentSkillsSubcommands};

}  // namespace clawperator::cli
