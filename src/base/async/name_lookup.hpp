#pragma once
// The addresses of a host name, from the system's sources (files, DNS, ...).

#include <asio/ip/address.hpp>

#include "base/async/task.hpp"

namespace base {

// True if a host is this computer's loopback: 127.0.0.0/8, ::1 (also as [::1]) or localhost. Other
// names are not looked up; other spellings (127.1, 0x7f.1) do not count.
bool is_loopback(std::string_view host);

using Addresses = std::vector<asio::ip::address>;
// Blocks until the name server answers or times out.
using LookUpName = std::function<Result<Addresses>(const std::string& host)>;

// getaddrinfo; errc::io contains the reason.
Result<Addresses> look_up_by_system(const std::string& host);

// At least one address, the preferred one first. A cancelled wait ends at once, while the lookup
// continues without a receiver; limit when eight lookups are running.
Task<Addresses> look_up_name(std::string host, LookUpName look_up = look_up_by_system);

}  // namespace base
