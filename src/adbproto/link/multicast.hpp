#pragma once
// A UDP socket in an IPv4 multicast group, for mDNS.
//
// It shares the group's port with other programs (avahi, adb). If that port is not available, it
// uses any port: then no announcements arrive, but answers to our own queries do (RFC 6762, 6.7).

#include <asio/any_io_executor.hpp>

#include "base/async/task.hpp"
#include "base/bytes.hpp"

namespace adbproto {

struct MulticastOptions {
  std::string group;  // "224.0.0.251"
  std::uint16_t port = 5353;
  std::string interface_address{};  // "127.0.0.1"; empty: all active ones except loopback
};

struct Datagram {
  Bytes bytes{};
  std::string address{};  // of the sender
  std::uint16_t port = 0;
  // It was sent to the group, which no router forwards, or by a neighbour (RFC 6762, 11).
  bool is_from_this_link = true;
};

// An address of an interface, with its mask.
struct Subnet {
  std::uint32_t address = 0;
  std::uint32_t mask = 0;
};
// True if the sender's address belongs to a subnet of that interface.
bool is_neighbour(std::uint32_t sender, std::span<const Subnet> of_interface);

class MulticastSocket {
 public:
  virtual ~MulticastSocket() = default;

  // errc::closed after close(). One reader at a time.
  virtual Task<Datagram> receive() = 0;
  // Sends to the group on every interface, after joining it on new interfaces. errc::io if no
  // interface could send it.
  virtual Task<void> send(ByteView bytes) = 0;
  // Sends to one peer: `address` and `port` of a datagram.
  virtual Task<void> send_to(ByteView bytes, std::string address, std::uint16_t port) = 0;
  // True if announcements of others arrive.
  [[nodiscard]] virtual bool receives_announcements() const = 0;
  // Idempotent.
  virtual void close() = 0;
};

using MulticastSocketPtr = std::unique_ptr<MulticastSocket>;

// `invalid_argument` for an address that is no IPv4 multicast address, `io` without a socket.
Result<MulticastSocketPtr> open_multicast(const asio::any_io_executor& executor,
                                          const MulticastOptions& options);

}  // namespace adbproto
