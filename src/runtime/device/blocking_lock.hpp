#pragma once
// Who changes several files of a folder, or reads one to write it again, holds the folder's lock
// meanwhile.

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator {

// Blocks until it is held, until the handle closes; deadline_exceeded when another process has it
// for 5 s. The folder must be there. Nothing is left in it.
Result<FileHandle> lock_folder_blocking(const std::filesystem::path& folder);

}  // namespace clawperator
