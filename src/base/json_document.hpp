#pragma once
// JSON from outside, read into memory under bounds and written back as JSON.stringify would.
// Of a repeated member the last value counts and the first position is kept, as in JavaScript.
// Stricter than JavaScript on purpose: lone surrogates, invalid UTF-8 and numbers beyond a double
// are refused.

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"

namespace base {

using Json = nlohmann::ordered_json;

// Our documents nest far less; code that walks a document recurses once a level.
inline constexpr std::size_t kMaxJsonDepth = 128;
inline constexpr std::size_t kMaxJsonMembers = 512;  // of one object

// Fails with `protocol` (the message contains what was expected where) or `limit`.
Result<Json> read_json(std::string_view text, std::size_t max_bytes,
                       std::size_t max_members = kMaxJsonMembers);

// Recursion is bounded by what read_json accepts.
std::string write_json(const Json& value);

// Two spaces per level; text that is no JSON stays as it is.
std::string indent_json(std::string_view json);

// The parser's message for a text that is no JSON, without the library's own marks.
std::string parser_text(std::string_view what);

// The member of that name, null when absent or when `value` is no object.
const Json* find_member(const Json& value, std::string_view name);

// Passes on the elements of a member of a JSON text; false when that is no array.
bool for_each_entry(std::string_view text, std::string_view member,
                    const std::function<void(const Json& entry)>& take);

// A whole number within these bounds, however it is spelt (1, 1.0, 1e0); nullopt for anything else
// and for null.
std::optional<std::int64_t> whole_value(const Json* value, std::int64_t least, std::int64_t most);

// The text of a string value, null for any other type and for null.
const std::string* string_value(const Json* value);
const std::string* string_member(const Json& value, std::string_view name);
// As JavaScript has it: a string as it is, and what it takes for true.
std::string js_text(const Json& value);
bool is_truthy(const Json& value);

// Whether the member is there and `true`.
bool is_true_member(const Json& value, std::string_view name);

}  // namespace base
