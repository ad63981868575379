#pragma once
// The files of one commit of a repository, in a folder that is no checkout. Blocks.

#include <filesystem>
#include <stop_token>

#include "skills/phone/git_fetch.hpp"

namespace clawperator::phone_skills {

struct RepositoryOrder {
  RepositoryUrl url{};
  std::string ref{};  // a branch, a tag or a commit; empty: the repository's HEAD
  HttpLimits limits{};
};

// Writes them into `folder`, which is made; `scratch` is made for git's own files, and stays.
// Returns the commit's id. Symbolic links and submodules' content have no place in it: a link is
// refused, a submodule left out.
Result<std::string> write_repository_files(const RepositoryOrder& order,
                                           const std::filesystem::path& folder,
                                           const std::filesystem::path& scratch,
                                           const std::stop_token& stop);

Result<void> make_folders(const std::filesystem::path& path);
// With the modes that the user's umask allows.
Result<void> write_new_file(const std::filesystem::path& path, std::string_view text,
                            bool executable);

}  // namespace clawperator::phone_skills
