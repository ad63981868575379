#pragma once
// The user of the socket at the other end of a TCP connection of this computer. The system keeps
// the user that made each socket; a process that passes it on, or changes its user, does not change
// that.

#include <sys/types.h>

#include "adbproto/link/socket_stream.hpp"

namespace adbproto {

struct PeerSocket {
  uid_t user = 0;           // its maker; the overflow uid where this user namespace has no name
  std::uint64_t inode = 0;  // while the socket lives no other one of this computer has it

  bool operator==(const PeerSocket&) const = default;
};

// The peer's socket, where it is in our network namespace, is connected to us, and a process has it
// open. Queries the kernel once (sock_diag), or reads its tables where netlink is refused; both
// return at once.
std::optional<PeerSocket> find_peer_socket(const ByteStream* stream);

// The parts of it that need no system.

// From the kernel's answer to the question after the socket at `ends.theirs`.
std::optional<PeerSocket> read_sock_diag(ByteView answer, const TcpEnds& ends);
// In the text of /proc/net/tcp or /proc/net/tcp6.
std::optional<PeerSocket> find_in_table(std::string_view table, const TcpEnds& ends);

}  // namespace adbproto
