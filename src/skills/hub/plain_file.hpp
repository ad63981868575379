#pragma once
// Reads files in folders that others write to, too: it never waits, and follows no link.

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::hub {

// nullopt: there is none. file_unreadable for a link, a pipe, or more than `limit`.
Result<std::optional<std::string>> read_plain_file(const std::filesystem::path& path,
                                                   std::size_t limit);

}  // namespace clawperator::hub
