#pragma once
// The faults of a skills repository.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode skills_check_registry_invalid{
    "SKILLS_CHECK_REGISTRY_INVALID", 400,
    "A skills repository has no registry, or one that cannot be read."};
inline constexpr ErrorCode skills_check_entry_invalid{
    "SKILLS_CHECK_ENTRY_INVALID", 400, "An entry of the registry breaks its schema."};
inline constexpr ErrorCode skills_check_file_missing{
    "SKILLS_CHECK_FILE_MISSING", 400,
    "A file that an entry of the registry names is missing, is no plain file, or is outside of the "
    "repository."};
inline constexpr ErrorCode skills_check_unregistered{
    "SKILLS_CHECK_UNREGISTERED", 400, "A folder has a skill's files, and no entry names it."};
inline constexpr ErrorCode skills_check_manifest_differs{
    "SKILLS_CHECK_MANIFEST_DIFFERS", 400,
    "A member of skill.json is not that of the registry's entry."};
inline constexpr ErrorCode skills_check_manifest_invalid{
    "SKILLS_CHECK_MANIFEST_INVALID", 400,
    "skill.json is no JSON, or its `agent` or `contract` is not well-formed."};
inline constexpr ErrorCode skills_check_frontmatter_invalid{
    "SKILLS_CHECK_FRONTMATTER_INVALID", 400,
    "The frontmatter of a SKILL.md has no end, or is no YAML mapping."};
inline constexpr ErrorCode skills_check_name_invalid{
    "SKILLS_CHECK_NAME_INVALID", 400,
    "The frontmatter of a SKILL.md lacks `name`, or it is not the name of the folder."};
inline constexpr ErrorCode skills_check_description_invalid{
    "SKILLS_CHECK_DESCRIPTION_INVALID", 400,
    "The frontmatter of a SKILL.md lacks `description`, or it has more than 1,024 characters."};
inline constexpr ErrorCode skills_check_artifact_invalid{
    "SKILLS_CHECK_ARTIFACT_INVALID", 400,
    "An artifact is no valid execution; the message is that of the contract."};
inline constexpr ErrorCode skills_check_not_reproducible{
    "SKILLS_CHECK_NOT_REPRODUCIBLE", 400,
    "A recipe or an artifact compiles to other bytes if the same values come in another order."};
inline constexpr ErrorCode skills_check_file_unreadable{
    "SKILLS_CHECK_FILE_UNREADABLE", 400,
    "A file or folder of a repository cannot be read, or is neither a file nor a folder."};
inline constexpr ErrorCode skills_check_limit_exceeded{
    "SKILLS_CHECK_LIMIT_EXCEEDED", 400,
    "A repository has more than 100,000 files; those above are not checked."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kSkillsCheckErrors[] = {
    &errc::skills_check_registry_invalid,    &errc::skills_check_entry_invalid,
    &errc::skills_check_file_missing,        &errc::skills_check_unregistered,
    &errc::skills_check_manifest_differs,    &errc::skills_check_manifest_invalid,
    &errc::skills_check_frontmatter_invalid, &errc::skills_check_name_invalid,
    &errc::skills_check_description_invalid, &errc::skills_check_artifact_invalid,
    &errc::skills_check_not_reproducible,    &errc::skills_check_file_unreadable,
    &errc::skills_check_limit_exceeded};

}  // namespace clawperator
