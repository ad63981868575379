#pragma once
// The pre-commit hook that scans the staged lines of a repository.

#include <filesystem>

#include "base/error.hpp"

namespace clawperator::phone_skills {

struct CommitHook {
  std::filesystem::path path{};
  bool is_new = false;  // false: a hook that scans was there
};

// Writes it where git looks for it. `folder` as in open_repository_around.
// privacy_hook_refused: another hook is there, or git looks elsewhere; nothing is changed.
// privacy_scan_failed, file_write_failed.
Result<CommitHook> install_commit_hook(const std::filesystem::path& folder);

}  // namespace clawperator::phone_skills
