#pragma once
// Files and folders that processes lock against one another. base/files.hpp has the lock itself.

#include <filesystem>

#include "base/async/task.hpp"
#include "base/files.hpp"  // try_lock

namespace base {

// A file that is there for its lock alone: made if need be, mode 0600, no link is followed. Not
// open: errno has the reason.
FileHandle open_lock_file(const std::filesystem::path& path);

// One process, and one task of it, at a time changes the small files of a folder. Waits until it is
// locked; deadline_exceeded after 5 s: a holder writes a small file, which takes milliseconds. The
// lock lasts until the handle closes.
//
// On a file in the folder, which only its user can open: every user who may read a folder may lock
// the folder itself. The folder is made if need be.
inline constexpr const char* kFolderLockName = ".clawperator.lock";
Task<FileHandle> lock_folder(std::filesystem::path folder);
// On the folder itself, where no file may be left in it. Blocks the thread. The folder must be
// there.
Result<FileHandle> lock_folder_blocking(const std::filesystem::path& folder);

}  // namespace base
