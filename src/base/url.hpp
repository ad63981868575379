#pragma once
// URLs as messages and files show them.

#include "base/prelude.hpp"

namespace base {

// Without the user name and password: "https://***@host/x". ssh's user name stays where there is no
// password ("git@host:x"). A text that is no proper URL loses everything before its last '@' if
// that may be a password. A text without a password stays the same.
std::string shown_url(std::string_view url);

}  // namespace base
