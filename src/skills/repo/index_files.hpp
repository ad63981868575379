#pragma once
// The generated indexes on disk, and whether a repository is in order.

#include <string>
#include <vector>

#include "skills/registry/indexes.hpp"
#include "skills/repo/repo.hpp"

namespace clawperator::skills {

// What speaks against the repository: its schema, files that are named and not there, folders of
// skills that are not registered.
std::vector<std::string> repository_problems(const Repo& repo);

// Of those that make_indexes() gives: what is missing or otherwise, and what is nobody's.
std::vector<std::string> stale_indexes(const Repo& repo, const IndexFiles& wanted);

// Writes those that are stale and removes those that are nobody's. skills_index_stale,
// file_write_failed
Result<void> write_indexes(const Repo& repo, const IndexFiles& wanted);

}  // namespace clawperator::skills
