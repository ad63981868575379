#pragma once
// URLs as messages and files show them.

#include "base/prelude.hpp"

namespace base {

// Without the user name and password: "https://***@host/x". The name of ssh's user stays where no
// password is with it ("git@host:x"). A text that is no proper URL loses all before its last '@'
// if that may be a password. What has none is the same text.
std::string shown_url(std::string_view url);

}  // namespace base
