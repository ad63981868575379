#pragma once
// The few properties of JavaScript strings that define the published limits. All functions take
// well-formed UTF-8.

#include "base/prelude.hpp"

namespace base {

// String.prototype.trim: ASCII and Unicode white space, line ends, U+FEFF.
std::string_view trim_js(std::string_view text);

inline bool is_blank(std::string_view text) { return trim_js(text).empty(); }

// Trims, and replaces each run of white space by one blank.
std::string single_spaced(std::string_view text);

std::u16string to_utf16(std::string_view text);

}  // namespace base
