#pragma once
// The further members of a published error object, beside `code` and `message`:
//
//   ErrorMembers().text("hint", hint)
//                 .object("details", ErrorMembers().text("path", path).number("elapsedMs", 12))
//                 .str()

#include "base/error.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator {

using ErrorMembers = JsonObject;

// With these `details`.
std::unexpected<Error> fail_with(Errc code, std::string message, const ErrorMembers& details);

// `error` with its own members first, then `added`.
Error with_members(const Error& error, const ErrorMembers& added);

// The same, into its `details`.
Error with_details(const Error& error, const ErrorMembers& added);

}  // namespace clawperator
