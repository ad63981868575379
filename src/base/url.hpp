#pragma once
// URLs in the form for messages and files.

#include "base/prelude.hpp"

namespace base {

// Removes the user name and password: "https://***@host/x". ssh's user name stays if there is no
// password
// ("git@host:x"). A text that is no proper URL loses everything before its last '@' if that may be
// a password. A text without a password stays unchanged.
std::string shown_url(std::string_view url);

}  // namespace base
