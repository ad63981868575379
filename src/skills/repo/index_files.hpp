#pragma once
// The generated indexes on disk, and whether a repository is in order.

#include <string>
#include <vector>

#include "skills/repo/repo.hpp"

namespace clawperator::skills {

// What speaks against the repository: its schema, files that are named and not there, folders of
// skills that are not registered.
std::vector<std::string> repository_problems(const Repo& repo);

// Indexes that are missing, not those of the registry, or nobody's.
std::vector<std::string> stale_indexes(const Repo& repo);

// Writes those that are stale and removes those that are nobody's; the paths of all, relative.
// file_write_failed
Result<std::vector<std::string>> write_indexes(const Repo& repo);

}  // namespace clawperator::skills
