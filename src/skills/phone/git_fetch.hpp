#pragma once
// Fetches all branches and tags of a repository into a checkout's database: the checkout's files,
// branches and HEAD stay unchanged. Blocks.

#include <stop_token>

#include "base/error.hpp"
#include "runtime/fetch/http_stream.hpp"
#include "skills/phone/git_functions.hpp"

namespace clawperator::phone_skills {

// The user's name for the repository of skills.
enum class RepositoryWay { https, ssh, local };

struct RepositoryUrl {
  std::string text{};
  RepositoryWay way = RepositoryWay::https;
};

// https://..., http:// to this computer, ssh://..., USER@HOST:PATH, file:///..., or a path, which
// becomes absolute. invalid_argument for transports without authentication (git://, http:// to
// other computers), for passwords, and for control characters.
Result<RepositoryUrl> read_repository_url(std::string_view given);

// For everything that one sync fetches.
inline constexpr std::uint64_t kMaxFetched = 512ULL << 20;

using OnFetched =
    std::function<void(std::uint64_t bytes, std::uint64_t objects, std::uint64_t objects_in_all)>;

// Shared by libgit2's callbacks and their fetch: `payload` of all of them.
struct FetchWatch {
  std::stop_token stop{};
  HttpLimits limits{};
  OnFetched on_fetched{};
  std::uint64_t fetched = 0;       // bytes of answers
  bool asked_agent = false;        // for a key, once
  std::optional<Error> failure{};  // why a callback failed; more exact than libgit2's error
};

struct FetchedRef {
  git_oid commit{};
  bool is_branch = false;
};

// `ref`: a branch of the repository, else a tag, else a commit's id (7 digits at least); empty: its
// HEAD.
// Branches arrive as refs/remotes/origin/*, tags as refs/tags/*.
Result<FetchedRef> fetch_ref(git_repository* repository, const RepositoryUrl& url,
                             const std::string& ref, FetchWatch* watch);

// The commits that `glob` names.
Result<std::vector<git_oid>> commits_of_refs(git_repository* repository, const char* glob);

// The commit itself, or the one that a tag points to.
Result<git_oid> commit_of(git_repository* repository, const git_oid& id);

}  // namespace clawperator::phone_skills
