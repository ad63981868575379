#pragma once
// Whether a skill's files are what its registry entry says, and the repository with its generated
// indexes is in order. Nothing is run.

#include <filesystem>

#include "skills/phone/repo.hpp"
#include "skills/phone/rules/indexes.hpp"
#include "skills/phone/rules/manifest.hpp"

namespace clawperator::phone_skills {

enum class DryRun { no, yes };  // yes: its artifacts, too, as they are, have to be executions

// What was looked at, absolute.
struct Checks {
  std::filesystem::path skill_json{};
  std::filesystem::path skill_file{};
  std::vector<std::string> scripts{};
  std::vector<std::string> artifacts{};
  Manifest manifest{};  // of skill.json
};

// The first rule that is broken: skill_validation_failed; registry_read_failed where skill.json is
// no JSON.
Result<Checks> validate_skill(const Repo& repo, const Skill& skill, DryRun dry_run);

// The published answers.
std::string validation_json(const Repo& repo, const Skill& skill, const Checks& checks,
                            DryRun dry_run);
// Of every skill: the answer, or skill_validation_failed that lists each failure.
Result<std::string> validate_all(const Repo& repo, DryRun dry_run);

// What speaks against the repository: its schema, files that are named and not there, folders of
// skills that are not registered.
std::vector<std::string> repository_problems(const Repo& repo);

// Of those that make_indexes() gives: what is missing or otherwise, and what is nobody's.
std::vector<std::string> stale_indexes(const Repo& repo, const IndexFiles& wanted);

// Writes those that are stale and removes those that are nobody's. skills_index_stale,
// file_write_failed
Result<void> write_indexes(const Repo& repo, const IndexFiles& wanted);

}  // namespace clawperator::phone_skills
