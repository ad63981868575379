#pragma once
// Whether a skill's files are what its registry entry says. Nothing is run.

#include <filesystem>
#include <string>
#include <vector>

#include "skills/registry/manifest.hpp"
#include "skills/repo/repo.hpp"

namespace clawperator::skills {

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

}  // namespace clawperator::skills
