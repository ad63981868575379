#pragma once
// The rules of a skills repository. Pure.

#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

// The rules of a repository, which are stricter than what a command needs: one line for each that
// is broken, beginning with the id of the skill.
//
//   id ^[a-zA-Z0-9._-]+$, each once         path "skills/<id>", skillFile "skills/<id>/SKILL.md"
//   applicationId ^[a-zA-Z0-9._]+$          scripts skills/<id>/scripts/*.sh|*.js, at least one
//   intent ^[a-z0-9-]+$                     artifacts
//   skills/<id>/artifacts/*.recipe.json|*.md|*.json summary not blank keywords not blank, each once
std::vector<std::string> schema_problems(const Registry& registry);

}  // namespace clawperator::phone_skills
