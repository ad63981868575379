#pragma once
// The subcommands of `agent-skills`, which stand in a file for each concern.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

extern const Command kAgentSkillsInstall;
extern const Command kAgentSkillsWatch;

}  // namespace clawperator::cli
