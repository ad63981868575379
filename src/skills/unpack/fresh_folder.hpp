#pragma once
// A folder that is filled with files by their paths: from its own descriptor downwards, folder by
// folder, following no link. What was begun and not kept is removed again.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::unpack {

// The folder itself stays.
void remove_contents(const std::filesystem::path& folder);

// All of them; what errno says, or 0.
int write_bytes(int file, std::string_view bytes);

class FreshFolder {
 public:
  // Makes it; one that is there must be an empty folder and no link. file_write_failed.
  static Result<FreshFolder> open(std::filesystem::path path);
  ~FreshFolder();
  FreshFolder(FreshFolder&& other) noexcept = default;
  FreshFolder& operator=(FreshFolder&&) = delete;
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  // Of paths that check_member_path allows; what is there already is not opened. file_write_failed.
  Result<void> make_folder(std::string_view path);
  Result<FileHandle> create_file(std::string_view path, mode_t mode);

  [[nodiscard]] std::unexpected<Error> cannot_write(std::string_view path, int reason) const;
  void keep() { folder_.reset(); }

 private:
  FreshFolder(std::filesystem::path path, FileHandle folder, bool is_new);

  std::filesystem::path path_;
  FileHandle folder_;
  bool is_new_ = false;
};

}  // namespace clawperator::unpack
