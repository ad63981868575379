#pragma once
// Looks for personal texts in a git repository, by libgit2. Blocks; writes nothing, starts no
// program.

#include <filesystem>

#include "skills/phone/git_functions.hpp"
#include "skills/privacy/terms.hpp"
#include "skills/report/report.hpp"

namespace clawperator::phone_skills {

// The repository that the folder is in. An empty folder: the one that git names to a hook, else the
// one around the working folder. privacy_scan_failed.
Result<Git<git_repository>> open_repository_around(const std::filesystem::path& folder);

enum class Scanned {
  head,    // the files of HEAD
  staged,  // the lines that the index adds to HEAD
  history  // each file of each commit of any reference, once; the oldest first
};

struct ScanOrder {
  std::filesystem::path folder{};
  Scanned what = Scanned::head;
  const privacy::Terms* terms = nullptr;
  std::filesystem::path terms_file{};  // it is not scanned itself
};

// privacy_scan_failed, also for a repository with more files, folders or commits than the limits.
Result<report::Report> scan_repository(const ScanOrder& order);

}  // namespace clawperator::phone_skills
