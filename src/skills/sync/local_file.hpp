#pragma once
// What lies in a checkout under a path. No symbolic link is followed.

#include <filesystem>
#include <string>
#include <vector>

#include "skills/sync/tree_files.hpp"

namespace clawperator::skills {

struct LocalFile {
  // folder: `obstacles` are the files in it. other: a link, a device. behind: a parent of it is no
  // folder; that is `obstacles`.
  enum class Kind { absent, file, folder, other, behind };
  Kind kind = Kind::absent;
  TreeFile file{};
  std::vector<std::string> obstacles{};  // paths within the checkout
};

Result<LocalFile> look_at(const std::filesystem::path& folder, const std::string& path);

}  // namespace clawperator::skills
