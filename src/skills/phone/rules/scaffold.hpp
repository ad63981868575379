#pragma once
// The files of a new skill, ready to run: they read the screen of the skill's app. Pure.

#include "base/error.hpp"
#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

struct ScaffoldFile {
  std::string name{};  // within the skill's folder
  std::string text{};
  bool is_program = false;
};

struct Scaffold {
  Skill entry{};
  std::vector<ScaffoldFile> files{};
};

// An id is the app's package, a dot and the intent. skill_id_invalid; invalid_argument for a
// summary with NUL.
Result<Scaffold> make_scaffold(std::string_view id, const std::optional<std::string>& summary);

// The registry with the entry in it, sorted by id.
void add_sorted(Registry* registry, Skill entry);

}  // namespace clawperator::phone_skills
