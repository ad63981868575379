#pragma once
// JSON5 (spec.json5.org), read under bounds, and edited in place: an edit keeps every other byte of
// the user's document, comments and order among them.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator::agent_skills {

inline constexpr std::size_t kMaxJson5Depth = 64;

// `protocol`: "line 3, column 7: a value was expected"; `limit`. Of a repeated member the last
// value counts. Texts come out as valid UTF-8; Infinity and NaN are numbers.
Result<Json> read_json5(std::string_view text);
// The same; `is_json`: it is JSON as well, and no object has a name twice.
Result<Json> read_json5(std::string_view text, bool* is_json);

// The document with the member at `path` (one name a level) set to the JSON text `value`; objects
// that are missing on the way are made. A blank document is an empty object. invalid_argument where
// something on the way is no object.
Result<std::string> with_member(std::string_view document, std::span<const std::string> path,
                                std::string_view value);

// The document without the member at `path`; as it is where there is none.
Result<std::string> without_member(std::string_view document, std::span<const std::string> path);

}  // namespace clawperator::agent_skills
