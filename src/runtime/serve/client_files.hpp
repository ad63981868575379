#pragma once
// Files of this computer for HTTP clients: below the one folder that `--files` names, and nowhere
// else. A picture without a file name goes into a folder that only this user can read.

#include <sys/stat.h>

#include <deque>
#include <filesystem>
#include <mutex>

#include "base/file_handle.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::serve {

// A client's name of a file, relative to `folder`: "a/b.png". An absolute name lies below `folder`.
// file_not_allowed for any other name, and for `..`. Pure.
Result<std::string> name_below(std::string_view folder, std::string_view name);

class ClientFiles {
 public:
  // Of nullopt no name is allowed. The folder is this user's, and no other user may write to it;
  // else serve_failed.
  static Result<std::unique_ptr<ClientFiles>> open(
      const std::optional<std::filesystem::path>& folder);

  // The whole path of a file that a client names. file_not_allowed where it leads through a link
  // or out of the folder, or where there is something that this server has not written.
  [[nodiscard]] Result<std::string> judge(std::string_view name) const;
  // The same once more, for what the names lead to may have changed; then the file, whole.
  Result<void> write(std::string_view name, std::string_view bytes);

 private:
  // A file's state after our last write; a changed one was written by another program since.
  struct Left {
    std::uint64_t device, inode, size;
    std::int64_t seconds, nanoseconds;

    bool operator==(const Left&) const = default;
  };
  struct Place {
    std::string path;
    FileHandle folder;
    std::string name;
  };
  static Left left(const struct stat& found);
  [[nodiscard]] Result<void> check_folder() const;
  [[nodiscard]] Result<Place> find(std::string_view name) const;
  // Our own file there, which may be replaced; nullopt where there is none.
  [[nodiscard]] Result<std::optional<Left>> find_own(const Place& place) const;
  Result<void> put_in_place(const Place& place, const std::string& draft, const Left& written);

  static constexpr std::size_t kRemembered = 4096;

  std::filesystem::path path_;
  FileHandle folder_;
  mutable std::mutex mutex_;  // requests write on several threads
  std::deque<Left> written_;
};

// Judges the files that the plan's pictures are for, and has them written there: see ClientFiles.
// `files` must outlive the execution.
Task<void> confine_pictures(ClientFiles* files, ExecuteRequest* request);

}  // namespace clawperator::serve
