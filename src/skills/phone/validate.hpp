#pragma once
// Checks a skill's files against its registry entry, and the repository with its generated indexes.
// Runs no script.

#include <filesystem>

#include "skills/phone/repo.hpp"
#include "skills/phone/rules/indexes.hpp"
#include "skills/phone/rules/manifest.hpp"

namespace clawperator::phone_skills {

enum class DryRun { no, yes };  // yes: its artifacts, unchanged, must also be valid executions

// The paths that were checked, absolute.
struct Checks {
  std::filesystem::path skill_json{};
  std::filesystem::path skill_file{};
  std::vector<std::string> scripts{};
  std::vector<std::string> artifacts{};
  Manifest manifest{};  // of skill.json
};

// The first broken rule: skill_validation_failed; registry_read_failed where skill.json is no JSON.
Result<Checks> validate_skill(const Repo& repo, const Skill& skill, DryRun dry_run);

// The published answers.
std::string validation_json(const Repo& repo, const Skill& skill, const Checks& checks,
                            DryRun dry_run);
// For every skill: the answer, or skill_validation_failed that lists each failure.
Result<std::string> validate_all(const Repo& repo, DryRun dry_run);

// The repository's faults: in its schema, files that are named and missing, folders of skills that
// are not registered.
std::vector<std::string> repository_problems(const Repo& repo);

// Folders with a skill's files that no entry names: relative to the repository, sorted.
std::vector<std::string> unregistered_folders(const Repo& repo);
inline constexpr std::string_view kUnregistered = "the folder of a skill that is not registered";

// Compared with the result of make_indexes(): missing or different files, and files that belong to
// no index.
struct StaleIndex {
  std::string path{};  // relative to the repository
  std::string text{};  // a line
};
std::vector<StaleIndex> stale_indexes(const Repo& repo, const IndexFiles& wanted);

// Writes the stale ones and removes those that belong to no index. skills_index_stale,
// file_write_failed
Result<void> write_indexes(const Repo& repo, const IndexFiles& wanted);

}  // namespace clawperator::phone_skills
