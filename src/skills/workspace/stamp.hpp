#pragma once
// Whether a file or a folder is as it was when it was last looked at.

#include <sys/stat.h>

#include <cstdint>

namespace clawperator::agent_skills {

// Nanoseconds of the clock that file systems use.
std::int64_t file_clock_now();

// One that changed a moment ago is never trusted: clocks of file systems are coarse.
struct Stamp {
  dev_t device = 0;
  ino_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool is_settled = false;

  bool operator==(const Stamp&) const = default;
  // `older` told of the same thing, and nothing can have changed since unseen.
  [[nodiscard]] bool confirms(const Stamp& older) const { return is_settled && *this == older; }
};

// `now`: from file_clock_now(), no later than `found` was asked for.
Stamp stamp_of(const struct stat& found, std::int64_t now);

}  // namespace clawperator::agent_skills
