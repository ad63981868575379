#pragma once
// Small files, read and written whole.

#include <sys/types.h>

#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace base {

// read_file refuses more than `limit` bytes. write_file_atomically writes beside the file and
// renames, so no reader sees half of one. A new file is its user's alone; an old one keeps its
// mode, unless `Kept::nothing` makes it its user's alone. `Durable`: also a power cut leaves the
// old one or the new one, which takes the disk a moment. A file that a killed process left half
// written is removed by the next one that writes there.
enum class ParentFolder { created, required };
enum class Durable { no, yes };
enum class Kept { mode, nothing };
Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit);
// The rest of an open one; `path` is its name in errors.
Result<std::string> read_file(const FileHandle& file, const std::filesystem::path& path,
                              std::size_t limit);
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view text,
                                   ParentFolder parent = ParentFolder::created,
                                   Durable durable = Durable::no, Kept kept = Kept::mode);

// Follows links; a path that cannot be read counts as absent.
bool is_there(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);
bool is_plain_file(const std::filesystem::path& path);

// All of them; 0, or the errno that kept it from being done.
int write_bytes(int file, std::string_view bytes);

// "cannot write PATH: No space left on device", for one.
std::unexpected<Error> cannot(std::string_view verb, const std::filesystem::path& path, Errc code,
                              int reason);
// The same of writing; file_write_failed.
std::unexpected<Error> cannot_write(const std::filesystem::path& path, int reason);

// Where a file is to be written so that a link in its place stays one, also a link to what is not
// there yet. file_write_failed for a loop of links.
Result<std::filesystem::path> file_behind(std::filesystem::path path);

// What a folder holds, in no order. After an error `error` says why the rest is missing.
std::vector<std::filesystem::directory_entry> entries_in(const std::filesystem::path& folder,
                                                         std::error_code& error);

// Everything below a folder; no link is followed. io.
struct EntryBelow {
  std::string path{};  // relative to the folder
  bool is_folder = false;
};
Result<std::vector<EntryBelow>> entries_below(const std::filesystem::path& folder);

// An exclusive lock between processes: flock(2). The open file keeps the lock. It ends with the
// file, also where its process is killed. The lock is advisory and does not work over every network
// file system. Does not wait.
enum class Locking { locked, held_by_another, failed };  // failed: errno has the reason
Locking try_lock(const FileHandle& file);

// A new file of a random name in the open directory `folder`; no link is followed, nothing that is
// there is opened. Not open: errno has the reason. A draft is locked while it is open: one that is
// not has been left by a process that was killed, and the first draft that a process makes in a
// folder removes this user's.
FileHandle create_draft(int folder, mode_t mode, std::string* name);

// Whether the file or folder, and with a folder the names in it, would survive a power cut; true on
// a file system that does not support the call.
bool is_on_disk(int fd);

// The plain files of a folder, the oldest first.
struct AgedFile {
  std::filesystem::file_time_type written;
  std::filesystem::path path;
  std::uintmax_t size;

  auto operator<=>(const AgedFile&) const = default;
};
std::vector<AgedFile> files_by_age(const std::filesystem::path& folder);
// Removes the oldest until so many are left, and so many bytes; the newest stays.
void drop_oldest(const std::filesystem::path& folder, std::size_t most_files,
                 std::uintmax_t most_bytes = std::numeric_limits<std::uintmax_t>::max());

// Nothing is replaced. 0, or the errno that kept it from being done: EEXIST where the name is
// taken.
int rename_to_free(int from, const std::string& name, int to, const std::string& free);
// `path` gets a name in the open folder `to` that nothing has there: `name`, `name`-2, ... Which.
Result<std::string> set_aside(const std::filesystem::path& path, const FileHandle& to,
                              const std::string& name);
// A file that cannot be read gets the name NAME.damaged-<time>, so that nothing of it is lost where
// a new one is written; the last three stay. Which.
Result<std::string> keep_damaged(const std::filesystem::path& path);

}  // namespace base
