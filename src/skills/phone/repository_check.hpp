#pragma once
// `skills check`: all faults of a skills repository, for its CI. Nothing is run and nothing is
// written.

#include <filesystem>

#include "skills/privacy/terms.hpp"
#include "skills/report/report.hpp"

namespace clawperator::phone_skills {

inline constexpr std::size_t kMaxCheckedFiles = 100'000;               // of a folder
inline constexpr std::size_t kMaxCheckedFile = std::size_t{10} << 20;  // larger ones are skipped

struct CheckOrder {
  std::vector<std::string> folders{};
  const privacy::Terms* terms = nullptr;
  std::filesystem::path terms_file{};  // it is not checked itself
};

// Each folder with `skills/` in it is a repository: its registry, its skills, and every file below
// `skills/`. Any other folder is checked for recipes, artifacts and personal texts alone. Without
// folders: the repository that other commands find. Files are named as the folders are, or relative
// to the repository that was found. Links are not followed.
//
// registry_read_failed: there is none; file_unreadable: a folder is none.
Result<report::Report> check_repositories(const CheckOrder& order);

// The codes of its faults.
std::vector<const ErrorCode*> check_rules();

}  // namespace clawperator::phone_skills
