#pragma once
// SKILLS/.hub-replaced/<slug>-<time>/: what was replaced and may be somebody's work.

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::hub {

class ReplacedFolder {
 public:
  // Makes it; no link leads there. file_write_failed.
  static Result<ReplacedFolder> open(const std::filesystem::path& skills);
  ReplacedFolder(ReplacedFolder&&) noexcept = default;
  ReplacedFolder& operator=(ReplacedFolder&&) = delete;
  ReplacedFolder(const ReplacedFolder&) = delete;
  ReplacedFolder& operator=(const ReplacedFolder&) = delete;
  ~ReplacedFolder();  // nothing stays where nothing was kept

  // Its new name.
  [[nodiscard]] Result<std::filesystem::path> keep(const std::filesystem::path& folder,
                                                   const std::string& slug) const;

 private:
  ReplacedFolder(std::filesystem::path path, FileHandle folder);

  std::filesystem::path path_;
  FileHandle folder_;
};

}  // namespace clawperator::hub
