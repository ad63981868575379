#pragma once
// The rules of a skills repository. Pure.

#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

// The rules of a repository, which are stricter than what a command needs: one line for each that
// is broken, beginning with the id of the skill. rules_for in schema_rules.cpp lists them; besides,
// each id occurs once.
std::vector<std::string> schema_problems(const Registry& registry);

}  // namespace clawperator::phone_skills
