#pragma once
// A device's UTF-8 may be invalid, and valid text may contain control characters. Every text of a
// tree is made valid here, so no rendering has to check it; every text for a terminal or a page is
// made harmless.

#include "base/prelude.hpp"

namespace base {

// Of the well-formed sequence (RFC 3629) at the front of a non-empty text; 0: it is not
// well-formed.
std::size_t sequence_length(std::string_view text);

// Of a well-formed sequence.
char32_t code_point(std::string_view sequence);

// A well-formed sequence of several bytes that a terminal obeys instead of showing it, or that
// turns the direction of writing: C1 controls and bidi controls.
bool acts_on_terminal(std::string_view sequence);

// Every byte that is no continuation byte begins a character.
std::size_t character_count(std::string_view text);

// In UTF-16 code units, of well-formed text.
std::size_t utf16_length(std::string_view text);

// As much of the beginning of well-formed text as has at most so many of them; cut between
// characters.
std::string_view utf16_prefix(std::string_view text, std::size_t units);

// Each byte that is no part of a well-formed sequence (RFC 3629) becomes U+FFFD.
std::string valid_utf8(std::string_view text);

// `instead` stands for each character that acts or hides rather than shows: controls (C0 but line
// feed and tab, DEL, C1), those that turn the direction of writing, the line and paragraph
// separators, and each byte that is no part of a well-formed sequence.
std::string harmless_text(std::string_view text, std::string_view instead);

// Without the characters that some file systems leave out of a name: Default_Ignorable_Code_Point
// of Unicode 15, such as joiners and marks of direction. Invalid UTF-8 stays.
std::string without_ignorable(std::string_view text);

}  // namespace base
