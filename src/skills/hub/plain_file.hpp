#pragma once
// Files in folders that others write to, too: nothing is waited for, no link is followed.

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::hub {

// nullopt: there is none. file_unreadable for all else, a link or a pipe, or more than `limit`.
Result<std::optional<std::string>> read_plain_file(const std::filesystem::path& path,
                                                   std::size_t limit);

}  // namespace clawperator::hub
