#pragma once
// The SKILL.md files below a folder. What was read once is not read again while the file is the
// same.

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

// What tells whether a file or a folder is as it was; one that changed a moment ago is never
// trusted.
struct Stamp {
  dev_t device = 0;
  ino_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool is_settled = false;

  bool operator==(const Stamp&) const = default;
};

struct ScanRules {
  bool contained = false;  // leave out what a link leads out of the root
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

  // Every skill below `root`, in the byte order of its paths, folder by folder: folders whose name
  // begins with a dot and node_modules aside; links are followed, no folder is entered twice. A
  // root that is not there has none. `warnings` gets why a SKILL.md is no skill.
  std::vector<std::shared_ptr<const Entry>> below(const std::filesystem::path& root, Source source,
                                                  const ScanRules& rules,
                                                  std::vector<std::string>* warnings);

 private:
  class Walk;
  struct Folder;
  struct File;

  std::unordered_map<std::string, Folder> folders_;
  std::unordered_map<std::string, File> files_;
};

}  // namespace clawperator::agent_skills
