#pragma once
// Reads and writes small files as a whole.

#include <sys/types.h>

#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace base {

// read_file refuses more than `limit` bytes. write_file_atomically writes beside the file and then
// renames, so no reader sees an incomplete file. A new file is private to its user. An existing
// file keeps its mode, unless `Kept::nothing` makes it private. `Durable`: even a power cut leaves
// the old file or the new one, which takes the disk a moment. The incomplete file of a killed
// process is removed by the next write in that folder.
enum class ParentFolder { created, required };
enum class Durable { no, yes };
enum class Kept { mode, nothing };
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit);
// Reads the rest of an open file; `path` is its name in errors.
Result<std::string> read_file(const FileHandle& file, const std::filesystem::path& path,
                              std::size_t limit);
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view text,
                                   ParentFolder parent = ParentFolder::created,
                                   Durable durable = Durable::no, Kept kept = Kept::mode);

// Follows links; a path that cannot be read counts as absent.
bool is_there(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);
bool is_plain_file(const std::filesystem::path& path);

// Writes all bytes; returns 0 or the errno of the failure.
int write_bytes(int file, std::string_view bytes);

// An error such as "cannot write PATH: No space left on device".
std::unexpected<Error> cannot(std::string_view verb, const std::filesystem::path& path, Errc code,
                              int reason);
// The same for writing; file_write_failed.
std::unexpected<Error> cannot_write(const std::filesystem::path& path, int reason);

// The path to write to, so that a link in its place stays a link, even one to a missing file.
// file_write_failed for a loop of links.
Result<std::filesystem::path> file_behind(std::filesystem::path path);

// The entries of a folder, in no order. After an error `error` contains the reason.
std::vector<std::filesystem::directory_entry> entries_in(const std::filesystem::path& folder,
                                                         std::error_code& error);

// Everything below a folder; links are not followed. io.
struct EntryBelow {
  std::string path{};  // relative to the folder
  bool is_folder = false;
};
Result<std::vector<EntryBelow>> entries_below(const std::filesystem::path& folder);

// An exclusive lock between processes: flock(2). The open file keeps the lock. It ends with the
// file, also when its process is killed. The lock is advisory and does not work on every network
// file system. Does not wait.
enum class Locking { locked, held_by_another, failed };  // failed: errno has the reason
Locking try_lock(const FileHandle& file);

// Creates a file with a random name in the open directory `folder`; it follows no link and opens no
// existing file. Not open: errno has the reason. A draft is locked while it is open: an unlocked
// draft belongs to a killed process, and the first draft of a process in a folder removes this
// user's unlocked ones.
FileHandle create_draft(int folder, mode_t mode, std::string* name);

// True if the file or folder (with a folder, the names in it) would survive a power cut; also true
// on a file system that does not support the call.
bool is_on_disk(int fd);

// The regular files of a folder, the oldest first.
struct AgedFile {
  std::filesystem::file_time_type written;
  std::filesystem::path path;
  std::uintmax_t size;

  auto operator<=>(const AgedFile&) const = default;
};
std::vector<AgedFile> files_by_age(const std::filesystem::path& folder);
// Removes the oldest files until these limits hold; the newest file stays.
void drop_oldest(const std::filesystem::path& folder, std::size_t most_files,
                 std::uintmax_t most_bytes = std::numeric_limits<std::uintmax_t>::max());

// Renames without replacing. Returns 0 or the errno of the failure: EEXIST if the name is taken.
int rename_to_free(int from, const std::string& name, int to, const std::string& free);
// Moves `path` into the open folder `to` under a free name: `name`, `name`-2, ... Returns the name.
Result<std::string> set_aside(const std::filesystem::path& path, const FileHandle& to,
                              const std::string& name);
// Renames a file that cannot be parsed to NAME.damaged-<time>, so that its content is not lost when
// a new one is written; the last three stay. Returns the new name.
Result<std::string> keep_damaged(const std::filesystem::path& path);

}  // namespace base
