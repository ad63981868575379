#pragma once
// The paths in a registry and in skill.json: relative to the repository, and never out of it. Pure;
// links are followed by skills/repo, which looks at what they lead to.

#include <string_view>

namespace clawperator::skills {

// "skills/x/scripts/run.js": not empty, not absolute, without "..", NUL or a backslash.
bool is_inner_path(std::string_view path);

}  // namespace clawperator::skills
