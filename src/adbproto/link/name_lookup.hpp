#pragma once
// From a host's name to its addresses, as the system finds them (files, DNS, ...).

#include <asio/ip/address.hpp>
#include <functional>
#include <string>
#include <vector>

#include "adbproto/link/task.hpp"

namespace adbproto {

using Addresses = std::vector<asio::ip::address>;
// Blocks, for as long as it takes a name server to be given up.
using LookUpName = std::function<Result<Addresses>(const std::string& host)>;

// getaddrinfo; errc::io tells why.
Result<Addresses> look_up_by_system(const std::string& host);

// At least one address, the preferred one first. A cancelled wait ends at once, the lookup goes on
// for nobody; limit when eight of them are under way.
Task<Addresses> look_up_name(std::string host, LookUpName look_up = look_up_by_system);

}  // namespace adbproto
