#pragma once
// Downloads the skills' repository into a folder of the user's, and later its changes.
//
//   FOLDER                      a git checkout
//   FOLDER.lock                 locked by the running sync
//   .FOLDER.<16 digits>.part    a first checkout until it is complete
//
// After any failure the folder is unchanged, and the user's changes stay.

#include <filesystem>

#include "base/async/task.hpp"
#include "skills/phone/git_fetch.hpp"

namespace clawperator::phone_skills {

inline constexpr std::string_view kSkillsRepository =
    "https://github.com/clawperator/clawperator-skills";

struct SyncOptions {
  std::filesystem::path folder{};  // ~/.clawperator/skills
  std::string url{};               // empty: the folder's origin, else kSkillsRepository
  std::string ref{};               // a branch, a tag, a commit's id
  HttpLimits limits{std::chrono::seconds(15), std::chrono::seconds(30), std::chrono::minutes(10)};
  OnFetched on_fetched{};  // called on another thread
};

struct SyncReport {
  std::filesystem::path registry{};
  std::string url{};
  std::string former_url{};  // the folder's earlier origin, if it was another one
  std::string commit{};
  std::size_t files = 0;  // written or removed
};

// skills_sync_failed ("Skills sync failed: ...", details.conflicts), cancelled. `limits.whole`
// applies even where libgit2 waits for an ssh server without end: its thread is then left behind.
Task<SyncReport> sync_skills(SyncOptions options);

}  // namespace clawperator::phone_skills
