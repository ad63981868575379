#pragma once
// What a run starts: which script by which program, with which arguments and variables.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/host/child_process.hpp"
#include "skills/registry/manifest.hpp"
#include "skills/repo/repo.hpp"

namespace clawperator::skills {

struct RunSettings {
  std::vector<std::string> args{};
  std::optional<std::string> device{};      // as it was named
  std::optional<std::string> adb_server{};  // as it was named
  std::string operator_package{};           // resolved
  std::chrono::milliseconds limit{};        // of the script
};

// What skill.json says, or why it cannot be trusted.
struct TrustedManifest {
  Manifest manifest{};
  std::string untrusted{};
};
// Of a skill that is not validated. skill_validation_failed: an agent is to carry it out, and
// nobody can say which.
Result<TrustedManifest> manifest_of(const Repo& repo, const Skill& skill);

// The first .js, else the first .sh, else the first. skill_script_not_found,
// skill_validation_failed, skill_agent_cli_unavailable.
Result<ChildCommand> command_for(const Repo& repo, const Skill& skill, const Manifest& manifest,
                                 const RunSettings& settings);

// CLAWPERATOR_BIN where it is set, else this program's own path.
std::string program_for_scripts();

}  // namespace clawperator::skills
