#pragma once
// The names and versions that a hub knows skills by.

#include <compare>

#include "base/error.hpp"

namespace clawperator::hub {

// Trimmed and in lower case, as the hub's server has it: a-z, 0-9 and '-', the first no '-', 128 at
// most. So it is a folder's name that leads nowhere. USAGE otherwise.
Result<std::string> checked_slug(std::string_view given);
bool is_slug(std::string_view text);

// What a folder is published as where nobody says: "My  Skill_v2" gives "my-skill-v2" and "My
// Skill V2".
std::string slug_of_folder(std::string_view folder_name);
std::string title_of_folder(std::string_view folder_name);

// What may stand in a file, an answer and a URL as a version: 1 to 256 characters of ASCII that
// show.
bool is_version_text(std::string_view text);
// As semver 2.0 has it; one 'v' in front is let pass.
bool is_version(std::string_view text);
// Of two that are versions.
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

// The path of a member of a skill's archive in the skill's folder: `./` and `/` in front are taken
// off. Empty for what is left out: a folder, and what would stand in a hub's own folder (.clawhub,
// .clawdhub). archive_refused for a part that is `.`, `..` or nothing, and for a backslash.
Result<std::string> member_path(std::string_view name);

}  // namespace clawperator::hub
