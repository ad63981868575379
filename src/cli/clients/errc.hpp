#pragma once
// Errors that keep our entry out of an MCP client's settings.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode client_config_invalid{
    "CLIENT_CONFIG_INVALID", 409,
    "The settings file of an MCP client cannot be parsed. Nothing was changed."};
inline constexpr ErrorCode client_entry_taken{
    "CLIENT_ENTRY_TAKEN", 409,
    "An MCP client has another server named clawperator. Nothing was changed."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kClientErrors[] = {&errc::client_config_invalid,
                                                     &errc::client_entry_taken};

}  // namespace clawperator
