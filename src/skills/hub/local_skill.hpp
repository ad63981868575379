#pragma once
// What lies in a skill's folder, as the hub's clients count it. Reads, follows no link.

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "skills/hub/fingerprint.hpp"

namespace clawperator::hub {

struct LocalSkill {
  enum class Kind { absent, folder, other };
  Kind kind = Kind::absent;
  // Regular files that neither their name nor an ignore file hides; in a fixed order.
  std::vector<HashedFile> files{};
  // Anything else: hidden or ignored files, links, node_modules. No version tells of it.
  bool has_uncounted = false;
  // Of an ignore file that is a link or cannot be read: what it hides is counted.
  std::optional<Error> unread{};

  // As clients up to 0.5.0 count them: those with a text's ending.
  [[nodiscard]] std::vector<HashedFile> text_files() const;
  [[nodiscard]] bool is_same_as(const LocalSkill& other) const;
};

// io for what cannot be read, limit for what is no skill any more (20000 files), cancelled.
Result<LocalSkill> read_local_skill(const std::filesystem::path& folder,
                                    const std::stop_token& stop);

}  // namespace clawperator::hub
