#pragma once
// Fetches all branches and tags of a repository into a checkout's database: nothing of the
// checkout's files, branches or HEAD is touched. Blocks.

#include <string>
#include <vector>

#include "skills/sync/https_transport.hpp"
#include "skills/sync/repository_url.hpp"

namespace clawperator::skills {

struct FetchedRef {
  git_oid commit{};
  bool is_branch = false;
};

// `ref`: a branch of the repository, else a tag, else a commit's id (7 digits at least).
// Branches arrive as refs/remotes/origin/*, tags as refs/tags/*.
Result<FetchedRef> fetch_ref(git_repository* repository, const RepositoryUrl& url,
                             const std::string& ref, FetchWatch* watch);

// The commits that `glob` names.
Result<std::vector<git_oid>> commits_of_refs(git_repository* repository, const char* glob);

// The commit itself, or the one that a tag stands for.
Result<git_oid> commit_of(git_repository* repository, const git_oid& id);

}  // namespace clawperator::skills
