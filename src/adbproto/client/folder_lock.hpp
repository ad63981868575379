#pragma once
// One process, and one task of it, at a time changes the small files of a folder: an advisory lock
// on a file in it that only its user can open. (The folder itself anybody could lock who may read
// it.)

#include <filesystem>

#include "adbproto/link/task.hpp"
#include "base/file_handle.hpp"

namespace adbproto {

inline constexpr const char* kFolderLockName = ".clawperator.lock";

// Waits for its turn, which lasts until the handle closes; deadline_exceeded after 5 s. The folder
// is made if need be.
Task<FileHandle> lock_folder(std::filesystem::path folder);

}  // namespace adbproto
