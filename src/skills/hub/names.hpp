#pragma once
// The names and versions that a hub knows skills by.

#include <compare>

#include "base/error.hpp"

namespace clawperator::hub {

// Trimmed and in lower case, by the hub server's rule: a-z, 0-9 and '-', not first a '-', 128 at
// most. Such a name is a plain folder name. USAGE otherwise.
Result<std::string> checked_slug(std::string_view given);
bool is_slug(std::string_view text);

// A skill of a hub. Several owners may have a skill of one slug.
struct SkillName {
  std::string owner{};  // in lower case, without '@'; empty: not named
  std::string slug{};

  // "slug" or "@owner/slug": its key in a lock file, and its path in the folder of skills.
  [[nodiscard]] std::string text() const;
};
// USAGE for a text that is neither.
Result<SkillName> checked_name(std::string_view given);
// The rule of slugs, with '_' and '.' inside.
bool is_owner(std::string_view text);

// "git:owner/repo@ref", a repository at github.com, or "git:URL@ref"; without "@ref" its HEAD.
struct GitSource {
  std::string url{};
  std::string ref{};   // empty: HEAD
  std::string name{};  // the last part of its path, without ".git"
};
// USAGE.
Result<GitSource> read_git_source(std::string_view given);

// The default slug and name of a published folder: "My  Skill_v2" gives "my-skill-v2" and "My Skill
// V2".
std::string slug_of_folder(std::string_view folder_name);
std::string title_of_folder(std::string_view folder_name);

// Text that may be a version in a file, an answer or a URL: 1 to 256 visible ASCII characters.
bool is_version_text(std::string_view text);
// By semver 2.0; one 'v' in front is accepted.
bool is_version(std::string_view text);
// For two texts that are versions.
std::strong_ordering compare_versions(std::string_view a, std::string_view b);

// The path of an archive's member in the skill's folder: leading `./` and `/` are removed. Empty
// for a member to leave out: a folder, and files of a hub's own folder (.clawhub, .clawdhub).
// archive_refused for a part that is `.`, `..` or empty, and for a backslash.
Result<std::string> member_path(std::string_view name);

}  // namespace clawperator::hub
