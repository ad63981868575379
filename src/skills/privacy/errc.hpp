#pragma once
// What a scan for personal texts reports.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode privacy_literal_found{
    "PRIVACY_LITERAL_FOUND", 400,
    "A file contains a text of one user: a serial, an e-mail address, a phone number or a home "
    "folder. The message does not contain the text."};
inline constexpr ErrorCode privacy_term_found{
    "PRIVACY_TERM_FOUND", 400,
    "A file contains a term of blocked-terms.txt. The message does not contain the term."};
inline constexpr ErrorCode privacy_terms_invalid{
    "PRIVACY_TERMS_INVALID", 400,
    "The file of blocked terms is larger than 1 MiB, or one of its terms is longer than 1 KiB."};
inline constexpr ErrorCode privacy_scan_failed{
    "PRIVACY_SCAN_FAILED", 400,
    "The folder is in no git repository, or the repository cannot be read or exceeds a limit; "
    "nothing was reported."};
inline constexpr ErrorCode privacy_hook_refused{
    "PRIVACY_HOOK_REFUSED", 400,
    "The pre-commit hook cannot be installed, mostly because there is another one. It is "
    "unchanged, and the message contains the line to add to it."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kPrivacyErrors[] = {
    &errc::privacy_literal_found, &errc::privacy_term_found, &errc::privacy_terms_invalid,
    &errc::privacy_scan_failed, &errc::privacy_hook_refused};

}  // namespace clawperator
