#pragma once
// One process, and one thread of it, at a time changes the small files of a folder: an advisory
// lock on the folder itself, which leaves nothing behind.

#include <filesystem>

#include "adbproto/base/error.hpp"
#include "adbproto/client/file_handle.hpp"

namespace adbproto {

// Waits for its turn, which lasts until the handle closes; the folder is made if need be.
Result<FileHandle> lock_folder(const std::filesystem::path& folder);

}  // namespace adbproto
