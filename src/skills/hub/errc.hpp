#pragma once
// The errors of the hub's client.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode hub_request_failed{
    "HUB_REQUEST_FAILED", 502,
    "The hub did not answer as it should; the message has its text. `details.status` is its "
    "HTTP status."};
inline constexpr ErrorCode hub_skill_not_found{
    "HUB_SKILL_NOT_FOUND", 404, "The hub, or the lock file, has no skill or version of that name."};
inline constexpr ErrorCode hub_not_logged_in{"HUB_NOT_LOGGED_IN", 401,
                                             "The hub requires a login: `clawperator hub login`."};
inline constexpr ErrorCode hub_local_changes{
    "HUB_LOCAL_CHANGES", 409,
    "Existing content would be overwritten: a folder of that name, or files that were changed. "
    "`--force` does so."};
inline constexpr ErrorCode hub_skill_flagged{
    "HUB_SKILL_FLAGGED", 403,
    "The hub marks the skill; nothing was changed. `details.moderation` is `malware`, which is "
    "never installed, or `suspicious`, which `--force` installs."};
inline constexpr ErrorCode hub_skill_ambiguous{
    "HUB_SKILL_AMBIGUOUS", 409,
    "Several owners have a skill of that name. `details.owners` has the names to choose from; "
    "`@OWNER/SLUG` is one of them."};
inline constexpr ErrorCode hub_files_differ{
    "HUB_FILES_DIFFER", 409,
    "The files of a skill are not those of the hub's version. `details` has `changed`, `missing` "
    "and `added`; nothing was changed."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kHubErrors[] = {
    &errc::hub_request_failed, &errc::hub_skill_not_found, &errc::hub_not_logged_in,
    &errc::hub_local_changes,  &errc::hub_skill_flagged,   &errc::hub_skill_ambiguous,
    &errc::hub_files_differ};

}  // namespace clawperator
