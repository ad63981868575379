#pragma once
// UTF-8 from a device may be invalid, and valid text may contain control characters. Every text of
// a tree is made valid here, so no rendering must check it. Every text for a terminal or a page is
// made harmless.

#include "base/prelude.hpp"

namespace base {

// The length of the well-formed sequence (RFC 3629) at the beginning of a non-empty text; 0: it is
// not well-formed.
std::size_t sequence_length(std::string_view text);

// The code point of a well-formed sequence.
char32_t code_point(std::string_view sequence);

// True for a well-formed sequence of several bytes that acts on a terminal or changes the direction
// of writing: C1 controls and bidi controls.
bool acts_on_terminal(std::string_view sequence);

// Every byte except continuation bytes begins a character.
std::size_t character_count(std::string_view text);

// The length of well-formed text in UTF-16 code units.
std::size_t utf16_length(std::string_view text);

// The longest beginning of well-formed text with at most this many code units; it ends between
// characters.
std::string_view utf16_prefix(std::string_view text, std::size_t units);

// Each byte that is no part of a well-formed sequence (RFC 3629) becomes U+FFFD.
std::string valid_utf8(std::string_view text);

// Replaces each character that acts or hides by `instead`: controls (C0 except line feed and tab,
// DEL, C1), characters that change the direction of writing, the line and paragraph separators, and
// each byte outside well-formed UTF-8.
std::string harmless_text(std::string_view text, std::string_view instead);

// Removes the characters that some file systems ignore in a name: Default_Ignorable_Code_Point of
// Unicode 15, such as joiners and marks of direction. Invalid UTF-8 stays.
std::string without_ignorable(std::string_view text);

}  // namespace base
