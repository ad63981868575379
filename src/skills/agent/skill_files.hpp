#pragma once
// The SKILL.md files below a folder. An unchanged file is read only once.

#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <unordered_map>

#include "base/error.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

inline std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

// Nanoseconds of the clock that file systems use.
inline std::int64_t file_clock_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

// Shows whether a file or a folder is unchanged since it was last read. A recent change is never
// trusted, because clocks of file systems are coarse.
struct Stamp {
  dev_t device = 0;
  ino_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool is_settled = false;

  bool operator==(const Stamp&) const = default;
  // `older` is of the same file, and no change since then can have been missed.
  [[nodiscard]] bool confirms(const Stamp& older) const { return is_settled && *this == older; }
};

// `now`: from file_clock_now(), no later than the call that returned `found`.
inline Stamp stamp_of(const struct stat& found, std::int64_t now) {
  constexpr std::int64_t kSettledNs = 1'000'000'000;
  const std::int64_t changed = nanoseconds(found.st_ctim);
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .size = found.st_size,
          .modified_ns = nanoseconds(found.st_mtim),
          .changed_ns = changed,
          .is_settled = now - changed > kSettledNs};
}

struct ScanRules {
  bool contained = false;  // leave out files that a link outside of the root leads to
  std::size_t max_file_bytes = SIZE_MAX;
  std::size_t max_candidates = SIZE_MAX;
  std::size_t max_loaded = SIZE_MAX;
};

class SkillFiles {
 public:
  SkillFiles();
  ~SkillFiles();
  SkillFiles(const SkillFiles&) = delete;
  SkillFiles& operator=(const SkillFiles&) = delete;

  // Every skill below `root`, in the byte order of its paths, folder by folder. Folders whose name
  // begins with a dot and node_modules are left out; links are followed, no folder is entered
  // twice. A root that does not exist has none. `warnings` receives why a SKILL.md is no skill.
  std::vector<std::shared_ptr<const Entry>> below(const std::filesystem::path& root, Source source,
                                                  const ScanRules& rules,
                                                  std::vector<std::string>* warnings);

 private:
  class Walk;
  class Stats;
  struct Node;

  std::unordered_map<std::string, std::unique_ptr<Node>> roots_;
  std::size_t kept_ = 0;          // nodes below them, at most
  std::unique_ptr<Stats> stats_;  // of the present walk; kept for its memory
};

}  // namespace clawperator::agent_skills
