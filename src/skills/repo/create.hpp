#pragma once
// A new skill: its folder and its entry in the registry, both or neither.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace clawperator::skills {

struct NewSkill {
  std::string id{};
  std::optional<std::string> summary{};
  std::filesystem::path recording_context{};  // copied as recording-context.json; empty: none
};

struct CreatedSkill {
  std::string id{};
  std::filesystem::path registry_path{};
  std::filesystem::path folder{};
  std::vector<std::string> files{};  // within the folder
};

// skill_id_invalid, registry_read_failed, skill_already_exists, skills_scaffold_failed.
Result<CreatedSkill> create_skill(const NewSkill& skill);

}  // namespace clawperator::skills
