#pragma once
// Whether JavaScript's `new RegExp(pattern)` would accept a pattern (no flags), as libpcre2 judges
// it. Nothing is matched here. The app on the device compiles the pattern again; where it cannot,
// its step fails with INVALID_REGEX_PATTERN.
//
// Only a fault that PCRE2 shares with JavaScript refuses a pattern. The app alone judges
//   - what PCRE2 accepts and JavaScript does not: `a*+`, a quantifier behind a lookbehind, a range
//     of characters above U+FFFF, and beside a named group a \k without a name, in a class, or
//     with a name that no group has;
//   - the rest of a pattern that has what JavaScript accepts and PCRE2 does not: `[\d-z]`, `[\B]`,
//     `[[.a.]]`, a count above 65535, a reference to a group that is not there, a lookbehind
//     without a fixed length, `$` in a group's name;
//   - a pattern of more than 4096 bytes or with more than 250 groups within each other;
//   - every pattern, where libpcre2 cannot be loaded.
// PCRE2 10.43 and later read `{,3}` as a quantifier: they refuse it where nothing stands before it.

#include "base/prelude.hpp"

namespace clawperator {

// `pattern` is well-formed UTF-8.
bool is_js_regex(std::string_view pattern);

}  // namespace clawperator
