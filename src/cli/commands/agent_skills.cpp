// Agent skills: folders with a SKILL.md, as AgentSkills and OpenClaw have them.

#include "cli/commands/agent_skills.hpp"

#include <array>

#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array<const Command*, 2> kAgentSkillsSubcommands{&kAgentSkillsInstall,
                                                                &kAgentSkillsWatch};

}  // namespace

constinit const Command kAgentSkills = {"agent-skills",
                                        "",
                                        "install|watch ...",
                                        "Agent skills: folders with a SKILL.md",
                                        "",
                                        "agent-skills install weather --dry-run\n",
                                        Reach::host,
                                        {},
                                        nullptr,
                                        kAgentSkillsSubcommands};

}  // namespace clawperator::cli
