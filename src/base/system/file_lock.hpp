#pragma once
// Files and folders that processes lock against each other. base/files.hpp has the lock itself.

#include <filesystem>

#include "base/async/task.hpp"
#include "base/files.hpp"  // try_lock

namespace base {

// A file that exists only for its lock. It is created if needed, with mode 0600; no link is
// followed. Not open: errno has the reason.
FileHandle open_lock_file(const std::filesystem::path& path);

// Two locks for a folder with small files: only one process, and one task in it, changes them at a
// time. Both wait; deadline_exceeded after 5 s, because a holder writes a small file in
// milliseconds. A lock lasts until the handle closes. They lock different files, so they do not
// exclude each other: all that change the files of one folder must use the same function.

// Locks a file in the folder that only its user can open: every user who may read a folder could
// lock the folder itself. The folder is created if needed.
inline constexpr const char* kFolderLockName = ".clawperator.lock";
Task<FileHandle> lock_folder(std::filesystem::path folder);
// Locks the folder itself, if no file may be left in it. Blocks the thread. The folder must exist.
Result<FileHandle> lock_folder_blocking(const std::filesystem::path& folder);

}  // namespace base
