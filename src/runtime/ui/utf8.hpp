#pragma once
// What a device calls UTF-8 may not be. Every text of a tree has gone through here, so no
// rendering has to think about it.

#include <string>
#include <string_view>

namespace clawperator {

// Each byte that is no part of a well-formed sequence (RFC 3629) becomes U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace clawperator
