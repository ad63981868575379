#pragma once
// A checkout of the skills' repository: opened or made, and moved to a commit without losing the
// user's changes. Blocks.

#include <filesystem>
#include <stop_token>

#include "skills/phone/git_fetch.hpp"

namespace clawperator::phone_skills {

class Checkout {
 public:
  Checkout(Checkout&&) noexcept;
  Checkout(const Checkout&) = delete;
  Checkout& operator=(const Checkout&) = delete;
  Checkout& operator=(Checkout&&) = delete;
  ~Checkout();
  // Without a commit, in a folder that is made.
  static Result<Checkout> create(const std::filesystem::path& folder);
  // Refused, with the reason: a folder that is no checkout, or one in the middle of a merge.
  static Result<Checkout> open(const std::filesystem::path& folder);

  [[nodiscard]] git_repository* repository() const { return repository_.get(); }
  [[nodiscard]] std::string origin() const;  // empty: none

  // Notes upstream's commits before a fetch replaces them.
  Result<void> note_upstream();

  struct Target {
    FetchedRef fetched{};
    std::string ref{};
    std::string url{};
  };
  // Compares and stages; a failure changes nothing that is in use. refused, with details.conflicts:
  // files that both sides changed; refused: commits that upstream does not have.
  Result<void> prepare(const Target& target, const std::stop_token& stop);
  // Writes files, index, branch and HEAD, completely or not at all. Returns the number of written
  // files.
  Result<std::size_t> write();

 private:
  struct Prepared;
  explicit Checkout(std::filesystem::path folder);
  [[nodiscard]] Result<void> check_detached_head() const;
  Result<void> choose_commit(const Target& target);
  Result<void> check_no_local_commits(const git_oid& commit, const std::string& where) const;
  [[nodiscard]] bool is_reachable(const git_oid& commit, const std::vector<git_oid>& from) const;
  [[nodiscard]] std::optional<git_oid> id_of(const std::string& name) const;
  Result<void> read_trees();
  Result<void> plan();
  Result<void> write_index();
  Result<void> write_submodules(git_index* index);
  Result<void> point(const std::string& name, const git_oid& id);
  Result<void> write_refs();
  Result<void> write_origin();

  std::filesystem::path folder_;
  Git<git_repository> repository_;
  std::vector<git_oid> upstream_;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace clawperator::phone_skills
