#pragma once
// The files of one commit, by their paths.

#include <map>
#include <optional>
#include <string>

#include "skills/sync/git_functions.hpp"

namespace clawperator::skills {

struct TreeFile {
  git_oid id{};
  bool executable = false;

  bool operator==(const TreeFile& other) const {
    return same_id(id, other.id) && executable == other.executable;
  }
};
using TreeFiles = std::map<std::string, TreeFile>;

// strict: of what is about to be written. A link, a name that leads elsewhere or into .git, and
// more than any repository of skills has are refused, by name. lenient: of what is there already;
// links are left out. Submodules are not followed.
enum class Reading { strict, lenient };
Result<TreeFiles> files_of(git_repository* repository, const git_oid& commit, Reading reading);

Result<std::string> content_of(git_repository* repository, const git_oid& id);

}  // namespace clawperator::skills
