#pragma once
// The further members of a published error object, beside `code` and `message`:
//
//   ErrorMembers().text("hint", hint)
//                 .object("details", ErrorMembers().text("path", path).number("elapsedMs", 12))
//                 .str()

#include "runtime/contract/json_text.hpp"

namespace clawperator {

using ErrorMembers = JsonObject;

}  // namespace clawperator
