#pragma once
// What a device calls UTF-8 may not be, and what is may do more than stand there. Every text of a
// tree is made valid here, so no rendering has to think about it; every text that a person is
// shown, in a terminal or a page, is made harmless.

#include <string>
#include <string_view>

namespace clawperator {

// Each byte that is no part of a well-formed sequence (RFC 3629) becomes U+FFFD.
std::string valid_utf8(std::string_view text);

// `instead` stands for each character that acts or hides rather than shows: controls (C0 but line
// feed and tab, DEL, C1), those that turn the direction of writing, the line and paragraph
// separators, and each byte that is no part of a well-formed sequence.
std::string harmless_text(std::string_view text, std::string_view instead);

}  // namespace clawperator
