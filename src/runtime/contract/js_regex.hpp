#pragma once
// Whether JavaScript's `new RegExp(pattern)` would accept a pattern: ECMAScript 2024 with Annex B,
// no flags. A scan with a stack of its own, because std::regex speaks another dialect and
// recurses on hostile patterns. Nothing is matched here; the device does that.

#include "base/prelude.hpp"

namespace clawperator {

// `pattern` is well-formed UTF-8.
bool is_js_regex(std::string_view pattern);

}  // namespace clawperator
