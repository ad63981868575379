#pragma once
// JSON from outside, read into memory with limits and written like JSON.stringify does. For a
// repeated member the last value counts and the first position is kept, as in JavaScript.
// Deliberately stricter than JavaScript: lone surrogates, invalid UTF-8 and numbers beyond a double
// are refused.

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"

namespace base {

using Json = nlohmann::ordered_json;

// Our documents are far less nested; code that walks a document recurses once per level.
inline constexpr std::size_t kMaxJsonDepth = 128;
inline constexpr std::size_t kMaxJsonMembers = 512;  // of one object

// Fails with `protocol` (the message names the place and what was expected) or `limit`.
Result<Json> read_json(std::string_view text, std::size_t max_bytes,
                       std::size_t max_members = kMaxJsonMembers);

// For JSON of a caller: half of a surrogate pair, escaped, is U+FFFD, as for those who write what
// JSON.parse has read.
Result<Json> read_callers_json(std::string_view text, std::size_t max_bytes,
                               std::size_t max_members = kMaxJsonMembers);

// The recursion depth is bounded by read_json.
std::string write_json(const Json& value);

// Two spaces per level; text that is no JSON stays unchanged.
std::string indent_json(std::string_view json);

// The parser's message for a text that is no JSON, without the library's own marks.
std::string parser_text(std::string_view what);

// The member of that name; null when it is absent or `value` is no object.
const Json* find_member(const Json& value, std::string_view name);

// Calls back with the elements of a member of a JSON text; false if the member is no array.
bool for_each_entry(std::string_view text, std::string_view member,
                    const std::function<void(const Json& entry)>& take);

// A whole number within these bounds, in any spelling (1, 1.0, 1e0); nullopt for anything else and
// for null.
std::optional<std::int64_t> whole_value(const Json* value, std::int64_t least, std::int64_t most);

// The text of a string value, null for any other type and for null.
const std::string* string_value(const Json* value);
const std::string* string_member(const Json& value, std::string_view name);
// JavaScript's conversions: to text (a string stays unchanged), and to a boolean.
std::string js_text(const Json& value);
bool is_truthy(const Json& value);

// True if the member exists and is `true`.
bool is_true_member(const Json& value, std::string_view name);

}  // namespace base
