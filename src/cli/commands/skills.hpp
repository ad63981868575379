#pragma once
// The subcommands of `skills`, which stand in a file for each concern.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

extern const Command kSkillsList;
extern const Command kSkillsGet;
extern const Command kSkillsInfo;
extern const Command kSkillsCheck;
extern const Command kSkillsForApp;
extern const Command kSkillsSearch;
extern const Command kSkillsValidate;
extern const Command kSkillsCompileArtifact;
extern const Command kSkillsNew;
extern const Command kSkillsIndex;
extern const Command kSkillsRun;
extern const Command kSkillsInstall;
extern const Command kSkillsUpdate;
extern const Command kSkillsSync;

}  // namespace clawperator::cli
