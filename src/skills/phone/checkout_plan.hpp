#pragma once
// The changes that bring a checkout to upstream's present state, and the conflicts: files that both
// sides changed. Reads only.

#include <filesystem>

#include "skills/phone/git_functions.hpp"

namespace clawperator::phone_skills {

// One file that will be written or, without `content`, removed.
struct FileChange {
  std::string path{};
  struct Content {
    git_oid blob{};
    std::optional<std::string> text{};  // in place of the blob: the merged registry
    bool executable = false;
  };
  std::optional<Content> content{};
};

struct CheckoutPlan {
  std::vector<FileChange> changes{};     // removals first
  std::vector<std::string> conflicts{};  // paths, and entries as skills/skills-registry.json#ID
};

struct PlanRequest {
  git_repository* repository = nullptr;
  git_index* index = nullptr;       // files that the user staged count as changed, too
  std::filesystem::path folder{};   // the checkout
  const TreeFiles* base = nullptr;  // of HEAD; empty for a new checkout
  const TreeFiles* incoming = nullptr;
};

// Fails where the result would have no readable registry.
Result<CheckoutPlan> plan_checkout(const PlanRequest& request);

}  // namespace clawperator::phone_skills
