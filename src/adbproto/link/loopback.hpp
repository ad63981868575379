#pragma once

#include <string_view>

namespace adbproto {

// Whether a host is this computer as nobody else reaches it: 127.0.0.0/8, ::1 (also as [::1]) or
// localhost. Other names are not looked up, other spellings (127.1, 0x7f.1) are none.
bool is_loopback(std::string_view host);

}  // namespace adbproto
