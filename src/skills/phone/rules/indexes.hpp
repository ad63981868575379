#pragma once
// The generated indexes of a skills repository, for agents that read files. The same registry gives
// the same bytes. Pure.
//
//   skills/generated/manifest.json              how many skills, and the digest of each other file
//   skills/generated/skills-index.min.json      {"schemaVersion","count","skills":[entry, ...]}
//   skills/generated/skills-index.jsonl         one entry a line
//   skills/generated/by-app/<applicationId>.json
//   skills/generated/by-prefix/<first part of applicationId>.json      "com", "org", ...
//
// All are sorted by id.

#include <map>

#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

// By path, relative to the repository.
using IndexFiles = std::map<std::string, std::string>;
IndexFiles make_indexes(const Registry& registry);

// "skills/generated"
inline constexpr std::string_view kIndexFolder = "skills/generated";

}  // namespace clawperator::phone_skills
