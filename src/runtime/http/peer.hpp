#pragma once
// The other end of a connection.

#include "base/async/byte_stream.hpp"
#include "base/prelude.hpp"

namespace clawperator::http {

inline constexpr std::string_view kThisUser = "this user";

struct Peer {
  // The name that limits are counted by: kThisUser or `user N` for a socket of this computer, else
  // the address; of IPv6 the network, as one machine may have all of its addresses.
  std::string name{};
  // Proven by the system, now: the socket at the other end was made by the user that this process
  // is. After the first time only the same socket counts. Absent: not proven.
  std::function<bool()> is_this_user{};
  // Whether it has ended its side; absent: unknown.
  std::function<bool()> is_gone{};
};

// Without `is_gone`. The stream must outlive it.
Peer peer_of(const adbproto::ByteStream* stream);

}  // namespace clawperator::http
