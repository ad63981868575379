#pragma once
// Brings the skills' repository into a folder of the user's, and what is new there later on.
//
//   FOLDER                      a git checkout
//   FOLDER.lock                 locked by the sync that runs
//   .FOLDER.<16 digits>.part    a first checkout until it is complete
//
// Whatever goes wrong, the folder is as it was, and what its user changed stays.

#include <filesystem>

#include "base/async/task.hpp"
#include "skills/phone/git_fetch.hpp"

namespace clawperator::phone_skills {

inline constexpr std::string_view kSkillsRepository =
    "https://github.com/clawperator/clawperator-skills";

struct SyncOptions {
  std::filesystem::path folder{};  // ~/.clawperator/skills
  std::string url{};               // empty: where the folder came from, else kSkillsRepository
  std::string ref{};               // a branch, a tag, a commit's id
  HttpLimits limits{std::chrono::seconds(15), std::chrono::seconds(30), std::chrono::minutes(10)};
  OnFetched on_fetched{};  // called on another thread
};

struct SyncReport {
  std::filesystem::path registry{};
  std::string url{};
  std::string former_url{};  // where the folder came from until now, if that was elsewhere
  std::string commit{};
  std::size_t files = 0;  // written or removed
};

// skills_sync_failed ("Skills sync failed: ...", details.conflicts), cancelled. `limits.whole`
// holds even where libgit2 waits for an ssh server for ever: its thread is then left behind.
Task<SyncReport> sync_skills(SyncOptions options);

}  // namespace clawperator::phone_skills
