#pragma once
// The configuration of one skill, changed in the user's file: its comments, its order and its
// ${VARIABLES} stay as they are, and so does everything that is not named here.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "skills/workspace/workspace.hpp"

namespace clawperator::agent_skills {

struct SkillChange {
  std::string key{};  // of `skills.entries`
  std::optional<bool> enabled{};
  std::optional<std::string> api_key{};                    // blank: it goes
  std::vector<std::pair<std::string, std::string>> env{};  // trimmed; a blank value: it goes
};

inline constexpr std::size_t kMostVariables = 64;  // of one change

// Writes the file, which is its user's alone then; makes it where there is none.
// agent_config_invalid for what is wrong with it already; usage for a change that cannot be made,
// its own fault or because what is to go stands in an included file. file_unreadable,
// file_write_failed, deadline_exceeded, io.
// {"ok":true,"skillKey","config":{...}}, its secrets hidden. Blocks.
Result<std::string> change_skill(const Places& places, const SkillChange& change);

}  // namespace clawperator::agent_skills
