#pragma once
// The subcommands of `agent-skills`, which stand in a file for each concern.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

extern const Command kAgentSkillsList;
extern const Command kAgentSkillsInfo;
extern const Command kAgentSkillsCheck;
extern const Command kAgentSkillsValidate;
extern const Command kAgentSkillsPrompt;
extern const Command kAgentSkillsSnapshot;
extern const Command kAgentSkillsCommands;
extern const Command kAgentSkillsResolve;
extern const Command kAgentSkillsEnv;
extern const Command kAgentSkillsEnable;
extern const Command kAgentSkillsDisable;
extern const Command kAgentSkillsSet;
extern const Command kAgentSkillsInstall;
extern const Command kAgentSkillsWatch;

}  // namespace clawperator::cli
