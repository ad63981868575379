#pragma once
// The SKILL.md files below a folder. What was read once is not read again while the file is the
// same.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

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
  class Questions;
  struct Node;

  std::unordered_map<std::string, std::unique_ptr<Node>> roots_;
  std::size_t kept_ = 0;                  // nodes below them, at most
  std::unique_ptr<Questions> questions_;  // of the walk under way; kept for its memory
};

}  // namespace clawperator::agent_skills
