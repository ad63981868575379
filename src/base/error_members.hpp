#pragma once
// The further members of a published error object, beside `code` and `message`:
//
//   ErrorMembers().text("hint", hint)
//                 .object("details", ErrorMembers().text("path", path).number("elapsedMs", 12))
//                 .str()

#include "base/error.hpp"
#include "base/json_text.hpp"

namespace base {

using ErrorMembers = JsonObject;

// The members "hint" and "details".
std::string hint_and_details(std::string_view hint, const ErrorMembers& details);

// With these `details`.
std::unexpected<Error> fail_with(Errc code, std::string message, const ErrorMembers& details);

// `error` with its own members first, then `added`.
Error with_members(const Error& error, const ErrorMembers& added);

// The same, into its `details`.
Error with_details(const Error& error, const ErrorMembers& added);

// {"code","message", then the error's further members}, compact.
std::string to_json(const Error& error);

}  // namespace base
