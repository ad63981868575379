#pragma once
// Local files of transfers: the tree to push, and pull targets that no path can leave.
//
// Below a PullTarget's root no link is followed. A file appears under its name only when it is
// complete: it is written under a temporary name beside it and then renamed.

#include <sys/types.h>

#include "adbproto/session/sync_push.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace adbproto {

using FolderPtr = std::shared_ptr<const FileHandle>;

// Appends strerror's text: "cannot stat 'x': No such file or directory".
std::unexpected<Error> file_failure(Errc code, std::string what, int error);

struct LocalTree {
  std::vector<PushItem> files;       // and links; sorted within each folder
  std::vector<std::string> folders;  // their names on the device
  std::vector<std::string> warnings;
  std::vector<Error> unread;  // folders and files that cannot be read, with the reason
  std::uint64_t skipped = 0;
};

// Links are not followed, except `local` itself. Fails if `local` itself cannot be read.
Result<LocalTree> read_local_tree(std::string local, std::string remote);

Result<FileHandle> open_to_read(const std::string& path);
// The whole file; nullopt if it is larger than `limit`. `expected` is its size from stat, 0 if the
// system does not report one; it may have changed since.
Result<std::optional<Bytes>> read_small_file(const std::string& path, std::size_t expected,
                                             std::size_t limit);
Result<std::string> read_link_target(const std::string& path);

// Modification time in seconds and mode, which adb's -a preserves.
struct KeptAttributes {
  std::int64_t mtime = 0;
  std::uint32_t mode = 0;
};

// Whether a device or a pipe (/dev/stdout) in the target's place is written to, or replaced like
// any other file.
enum class Special { written_to, replaced };

// A file that is being written. If it is destroyed before commit(), nothing remains.
class NewFile {
 public:
  // `name` in the open directory `folder`; `shown` is for messages. `closed`: a pipe without a
  // reader.
  static Result<NewFile> create(FolderPtr folder, std::string name, std::string shown,
                                Special special);
  ~NewFile();
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Returns the number of written bytes: all of them, except for a file in place, which may block.
  Result<std::size_t> write(ByteView bytes);
  [[nodiscard]] int descriptor() const { return file_.get(); }
  Result<void> commit(std::optional<KeptAttributes> kept);

 private:
  NewFile() = default;
  FileHandle file_;
  FolderPtr folder_;
  std::string name_;
  std::string temporary_;  // empty: written in place
  std::string shown_;
};

// The folder that a tree is pulled into.
class PullTarget {
 public:
  // Creates the folder and its parents. `root` may be or contain links, because the user chose it.
  static Result<PullTarget> open(std::string root);

  // `relative`: names joined by '/'.
  Result<void> make_folder(const std::string& relative);
  Result<NewFile> create(const std::string& relative);
  [[nodiscard]] std::string name_of(const std::string& relative) const;

 private:
  Result<FolderPtr> enter(const std::string& relative);

  std::string root_;
  FolderPtr root_folder_;
  std::string entered_;  // the folder of entered_folder_
  FolderPtr entered_folder_;
};

}  // namespace adbproto
