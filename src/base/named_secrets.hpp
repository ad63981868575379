#pragma once
// Secrets that are known by the name before them: TOKEN=x, "apiKey": "x", Authorization: x,
// --password x, https://user:x@host. One rule decides what the log shows and which variables other
// programs get. Pure; the time is linear in the text.

#include "base/secrets.hpp"

namespace base {

// True if a variable, member, header or option of this name contains a secret, in any spelling:
// CLAWPERATOR_TOKEN, apiKey, set-cookie, dbPassword, AWS_SECRET_ACCESS_KEY.
bool names_secret(std::string_view name);

// Replaces each value after such a name by kMask.
std::string without_named_secrets(std::string_view text);

// Text or JSON text for a log, without named secrets and without known secrets. In JSON only the
// values change, never the names.
std::string masked_for_log(std::string_view text, const Secrets& known);
std::string masked_json_for_log(std::string_view json, const Secrets& known);

}  // namespace base
