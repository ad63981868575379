#pragma once
// A file, pipe or terminal that a user names as output.

#include <filesystem>

#include "base/async/task.hpp"

namespace base {

// Writes to a path that a user names. A link is followed to its target. A regular or absent file is
// replaced as a whole. Anything else (a device, a pipe with a reader) is written to as long as it
// takes bytes every 30 s. The folder must exist; `bytes` must live until the task ends.
Task<void> write_output(std::filesystem::path path, std::string_view bytes);

}  // namespace base
