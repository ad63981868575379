#pragma once
// The errors of an execution's text, and of a device's answer to it.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode execution_validation_failed{
    "EXECUTION_VALIDATION_FAILED", 400,
    "The execution or the arguments it is made of break the contract; nothing was dispatched. "
    "`details`: path, reason, actionId, actionType, invalidKeys, hint."};
inline constexpr ErrorCode payload_too_large{
    "PAYLOAD_TOO_LARGE", 413,
    "The serialised execution is longer than 64000 bytes, or cannot reach the device whole."};
inline constexpr ErrorCode result_envelope_malformed{
    "RESULT_ENVELOPE_MALFORMED", 500,
    "The result of this command cannot be read; the actions have run."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kContractErrors[] = {
    &errc::execution_validation_failed, &errc::payload_too_large, &errc::result_envelope_malformed};

}  // namespace clawperator
