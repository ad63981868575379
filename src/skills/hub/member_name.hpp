#pragma once
// What becomes of a member of a skill's archive.

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace clawperator::hub {

// Its path in the skill's folder: `./` and `/` in front are taken off. Empty for what is left out:
// a folder, and what would stand in a hub's own folder (.clawhub, .clawdhub). archive_refused for a
// part that is `.`, `..` or nothing, and for a backslash.
Result<std::string> member_path(std::string_view name);

}  // namespace clawperator::hub
