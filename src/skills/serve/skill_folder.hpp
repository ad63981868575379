#pragma once
// The files of one skill's folder, for clients that read them from afar. Links, files whose name
// begins with a dot, and node_modules are no part of it, so nothing leads out of the folder. A
// folder in it with a SKILL.md is another skill.

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::skills_served {

inline constexpr std::size_t kMostFiles = 512;                    // of the extension
inline constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // of the extension; in all files

inline constexpr std::string_view kSkillFile = "SKILL.md";

class SkillFolder {
 public:
  // io: it is no folder, or cannot be read; limit: it has too much. Blocks.
  static Result<SkillFolder> open(const std::filesystem::path& path);

  // Relative paths with '/', sorted.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  // The bytes of one of them as it is now; io, limit.
  [[nodiscard]] Result<std::string> read(const std::string& file,
                                         std::size_t most = kMostBytes) const;

 private:
  explicit SkillFolder(FileHandle folder) : folder_(std::move(folder)) {}
  Result<void> list(const FileHandle& folder, const std::string& prefix, std::size_t depth);

  FileHandle folder_;
  std::vector<std::string> files_;
  std::size_t seen_ = 0;   // names
  std::size_t bytes_ = 0;  // of all files
};

}  // namespace clawperator::skills_served
