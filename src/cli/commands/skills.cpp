// Skills: automations for apps, from a registry of this computer.

#include "cli/commands/skills.hpp"

#include <array>

#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array<const Command*, 14> kSkillsSubcommands{
    &kSkillsList,   &kSkillsGet,      &kSkillsInfo,
    &kSkillsCheck,  &kSkillsForApp,   &kSkillsSearch,
    &kSkillsRun,    &kSkillsValidate, &kSkillsCompileArtifact,
    &kSkillsNew,    &kSkillsIndex,    &kSkillsInstall,
    &kSkillsUpdate, &kSkillsSync};

}  // namespace

constinit const Command kSkills = {
    "skills",
    "",
    "list|get|info|check|for-app|search|run|validate|compile-artifact|new|index|install|update|"
    "sync ...",
    "Find, run and write skills: automations for apps",
    "The registry is CLAWPERATOR_SKILLS_REGISTRY, else ./skills/skills-registry.json, else\n"
    "../../skills/skills-registry.json, else the one in ~/.clawperator/skills.",
    "skills install\n"
    "skills search --keyword settings\n"
    "skills run com.android.settings.capture-overview --device emulator-5554\n",
    Reach::device,
    {},
    nullptr,
    kSkillsSubcommands};

}  // namespace clawperator::cli
