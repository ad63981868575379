#pragma once
// What a skills repository has beyond its registry: rules, and the generated indexes, for agents
// that read files. The same registry gives the same bytes. Pure.
//
//   skills/generated/manifest.json              how many skills, and the digest of each other file
//   skills/generated/skills-index.min.json      {"schemaVersion","count","skills":[entry, ...]}
//   skills/generated/skills-index.jsonl         one entry a line
//   skills/generated/by-app/<applicationId>.json
//   skills/generated/by-prefix/<first part of applicationId>.json      "com", "org", ...
//
// All are sorted by id.

#include <map>

#include "skills/registry/registry.hpp"

namespace clawperator::skills {

// By path, relative to the repository.
using IndexFiles = std::map<std::string, std::string>;
IndexFiles make_indexes(const Registry& registry);

// "skills/generated"
inline constexpr std::string_view kIndexFolder = "skills/generated";

// The rules of a repository, which are stricter than what a command needs: one line for each that
// is broken, beginning with the id of the skill.
//
//   id ^[a-zA-Z0-9._-]+$, each once         path "skills/<id>", skillFile "skills/<id>/SKILL.md"
//   applicationId ^[a-zA-Z0-9._]+$          scripts skills/<id>/scripts/*.sh|*.js, at least one
//   intent ^[a-z0-9-]+$                     artifacts
//   skills/<id>/artifacts/*.recipe.json|*.md|*.json summary not blank keywords not blank, each once
std::vector<std::string> schema_problems(const Registry& registry);

}  // namespace clawperator::skills
