#pragma once
// Folders by paths from an open one downwards, following no link.

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::unpack {

// The folder at that path below `root`, an open folder; what of it is not there is made. An empty
// path is `root` itself. Not open: errno tells why, ELOOP or ENOTDIR where a link is in the way.
FileHandle folder_below(int root, std::string_view path);

// "a/b/c": "a/b" and "c"; of "c" the first is empty.
std::string_view parent_of(std::string_view path);
std::string last_part(std::string_view path);

}  // namespace clawperator::unpack
