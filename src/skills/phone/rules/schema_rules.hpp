#pragma once
// The rules of a skills repository. Pure.

#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

struct SchemaProblem {
  std::size_t entry = 0;      // its index in the registry
  std::string_view member{};  // of the entry, which may lack it
  std::string text{};         // a line
};

// The rules of a repository, which are stricter than what a command needs: one line for each that
// is broken, beginning with the id of the skill. rules_for in schema_rules.cpp lists them; besides,
// each id occurs once.
std::vector<SchemaProblem> schema_problems(const Registry& registry);

// Those of one entry, without its id.
std::vector<SchemaProblem> schema_problems_of(const Skill& skill);

}  // namespace clawperator::phone_skills
