#pragma once
// Secrets that are known by the name in front of them: TOKEN=x, "apiKey": "x", Authorization: x,
// --password x, https://user:x@host. One rule for what the log shows and for which variables other
// programs get. Pure; the time is linear in the text.

#include "base/secrets.hpp"

namespace base {

// Whether a variable, member, header or option of this name holds a secret, however it joins its
// words: CLAWPERATOR_TOKEN, apiKey, set-cookie, dbPassword, AWS_SECRET_ACCESS_KEY.
bool names_secret(std::string_view name);

// The text with kMask for each value that stands behind such a name.
std::string without_named_secrets(std::string_view text);

// Text or JSON text for a log: without named secrets, and without those that are known. Of JSON
// the values change, never the names.
std::string masked_for_log(std::string_view text, const Secrets& known);
std::string masked_json_for_log(std::string_view json, const Secrets& known);

}  // namespace base
