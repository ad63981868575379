#pragma once
// TCP and unix-domain sockets as byte streams, and the listeners that accept them.
//
// TCP_NODELAY is set, and TCP_QUICKACK again after every read: the adb server writes a reply in
// pieces with Nagle on, so a delayed acknowledgement of the first piece would cost 40 ms. An idle
// TCP link is probed (SO_KEEPALIVE), so that an absent phone is noticed within half a minute.

#include <sys/types.h>

#include <asio/any_io_executor.hpp>

#include "base/async/byte_stream.hpp"
#include "base/file_handle.hpp"

namespace adbproto {

// `host` is a literal address, "localhost" or a name. errc::io names the endpoint. For a stream
// that its reader may leave unread for long; dial_tcp is for a transport.
Task<ByteStreamPtr> connect_tcp(std::string host, std::uint16_t port);
Task<ByteStreamPtr> connect_unix(std::string path);

// A connection and the duration of its connect, without the name lookup.
struct Dialled {
  ByteStreamPtr stream;
  std::chrono::microseconds rtt{};
};
// As connect_tcp; in addition, bytes that the peer does not acknowledge for 30 s end the link
// (TCP_USER_TIMEOUT). That also hits a peer that only pauses its reading, so use it for a link that
// both sides always read.
Task<Dialled> dial_tcp(std::string host, std::uint16_t port);

// Ends our direction; reading continues. Does nothing on streams that are no sockets.
void finish_writing(ByteStream* stream);

// Ends both directions of a unix socket at once: the other side can send nothing more, but earlier
// bytes can still be read. Does nothing on streams that are no sockets.
void hang_up(ByteStream* stream);

// The user at the other end of a unix socket; nullopt for other streams.
std::optional<uid_t> peer_user(const ByteStream* stream);

// One end of a TCP connection; an IPv4 address is ::ffff:A.B.C.D.
struct TcpEnd {
  std::array<std::byte, 16> address{};
  std::uint16_t port = 0;

  bool operator==(const TcpEnd&) const = default;
  [[nodiscard]] bool is_ipv4() const;
};
// `address`: 4 bytes or 16.
TcpEnd tcp_end(ByteView address, std::uint16_t port);

struct TcpEnds {
  TcpEnd theirs;
  TcpEnd ours;
};

// The ends of a TCP connection that, according to the kernel, neither side has ended.
std::optional<TcpEnds> established_ends(const ByteStream* stream);

// True if, according to the kernel, the peer has ended its side or is gone; false for streams that
// are no sockets. Reads nothing.
bool peer_has_ended(ByteStream* stream);

// Writes the bytes that the system takes without a wait, and returns their number; 0 on streams
// that are no sockets. A socket's error is reported by the next operation.
std::size_t write_at_once(ByteStream* stream, ByteView bytes);

class Listener {
 public:
  virtual ~Listener() = default;
  virtual Task<ByteStreamPtr> accept() = 0;
  // The bound TCP port; 0 for a unix socket.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  // Idempotent. A pending accept ends with errc::closed.
  virtual void close() = 0;
};

using ListenerPtr = std::unique_ptr<Listener>;

// Port 0 lets the system choose. `host` must be a literal address.
Result<ListenerPtr> listen_tcp(const asio::any_io_executor& executor, const std::string& host,
                               std::uint16_t port);
// Fails when the path exists. A path that begins with NUL is a name in the abstract namespace.
Result<ListenerPtr> listen_unix(const asio::any_io_executor& executor, const std::string& path);
// A listener on a unix socket that listens already; another process handed it over.
Result<ListenerPtr> listen_at(const asio::any_io_executor& executor, base::FileHandle socket);

}  // namespace adbproto
