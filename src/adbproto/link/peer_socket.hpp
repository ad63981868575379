#pragma once
// The user of the socket at the other end of a local TCP connection. The kernel records the user
// that created each socket; it does not change when a process passes the socket on or changes its
// user.

#include <sys/types.h>

#include "adbproto/link/socket_stream.hpp"

namespace adbproto {

struct PeerSocket {
  uid_t user = 0;           // its creator; the overflow uid if this user namespace has no mapping
  std::uint64_t inode = 0;  // unique on this computer while the socket lives

  bool operator==(const PeerSocket&) const = default;
};

// The peer's socket, if it is in our network namespace, is connected to us, and a process has it
// open. Queries the kernel once (sock_diag), or reads its tables if netlink is refused; neither
// waits.
std::optional<PeerSocket> find_peer_socket(const ByteStream* stream);

// The parts that need no system calls.

// Parses the kernel's answer to the query for the socket at `ends.theirs`.
std::optional<PeerSocket> read_sock_diag(ByteView answer, const TcpEnds& ends);
// Searches the text of /proc/net/tcp or /proc/net/tcp6.
std::optional<PeerSocket> find_in_table(std::string_view table, const TcpEnds& ends);

}  // namespace adbproto
