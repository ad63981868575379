#pragma once
// Compares the files of an installed skill with the hub's list for its version. Changes nothing.

#include <filesystem>
#include <stop_token>

#include "skills/hub/names.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

struct VerifyRequest {
  SkillName name{};
  std::string version{};  // empty: the installed one
};

struct Verified {
  std::string slug{};  // or "@owner/slug"
  std::string version{};
  std::string registry{};
  std::filesystem::path path{};
  std::size_t files = 0;
};

// By the SHA-256 of each file. Files that no version has (hidden and ignored ones, links) do not
// count. The list is of the registry that the skill came from, unless the user names a hub.
// hub_files_differ; hub_skill_not_found where the skill is not installed; file_unreadable for an
// ignore file that is a link or cannot be read. Blocks.
Result<Verified> verify_skill(const Places& places, const VerifyRequest& request,
                              const std::stop_token& stop);

}  // namespace clawperator::hub
