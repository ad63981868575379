#pragma once
// Who changes a repository's registry, and what is generated from it, is alone with it.

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::skills {

// Held until the handle goes. Waits 5 s for another process; deadline_exceeded then, io where the
// folder of the registry cannot be opened.
Result<FileHandle> lock_registry(const std::filesystem::path& registry_path);

}  // namespace clawperator::skills
