#pragma once
// Ids of an execution: one for people and logs, one for the device.
//
// ULID: 48 bits of milliseconds, 80 random bits, in 26 Crockford base-32 characters; sorts by time.

#include "base/prelude.hpp"

namespace clawperator {

std::string encode_ulid(std::uint64_t milliseconds, const std::array<std::uint8_t, 10>& random);
// From the wall clock and the system's random source.
std::string new_ulid();

// The id of a dispatch on the device: 32 characters of [a-z0-9-], 160 random bits.
std::string new_dispatch_id();
bool is_dispatch_id(std::string_view text);

}  // namespace clawperator
