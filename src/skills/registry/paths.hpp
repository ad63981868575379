#pragma once
// The paths in a registry and in skill.json: relative to the repository, and never out of it. Pure;
// links are followed by skills/repo, which looks at what they lead to.

#include <optional>
#include <string>
#include <string_view>

#include "skills/registry/registry.hpp"

namespace clawperator::skills {

// "skills/x/scripts/run.js": not empty, not absolute, without "..", NUL or a backslash.
bool is_inner_path(std::string_view path);

// The first path of the entry that is none; nullopt: all of them are.
std::optional<std::string> outer_path_of(const Skill& skill);

}  // namespace clawperator::skills
