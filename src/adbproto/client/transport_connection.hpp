#pragma once
// The driver of a direct transport, for either role: a byte link below, streams above.
//
//   link --bytes--> PacketReader --Packet--> StreamTable --Deliver--> stream.read_some()
//   link <--bytes-- writer <-- outbox <--SendPacket-- StreamTable <-- stream.write_all()
//
// One coroutine reads the link, one writes it; both live as long as the connection. Buffers are
// bounded: a stream's unread bytes by the receive window, the outbox by kOutboxLimit. A write
// that the link does not take for 5 s ends the connection. When the link ends, every stream ends
// with link_lost and the same text.

#include <asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "adbproto/link/byte_stream.hpp"
#include "adbproto/session/handshake.hpp"

namespace adbproto {

// A stream that the peer wants to open. Unanswered when destroyed means refused.
class IncomingStream {
 public:
  virtual ~IncomingStream() = default;
  [[nodiscard]] virtual const std::string& service() const = 0;
  virtual ByteStreamPtr accept() = 0;
  virtual void refuse() = 0;
};

struct TransportOptions {
  Role role = Role::host;
  Banner banner;  // what we announce
  std::uint32_t max_payload = kMaxPayload;
  std::uint32_t receive_window = 1 << 20;
  std::chrono::milliseconds handshake_limit{5000};
  // Called on the link's executor; absent means that every peer's open is refused.
  std::function<void(std::unique_ptr<IncomingStream>)> on_incoming;
};

class TransportConnection {
 public:
  // Shakes hands and starts the two coroutines. Fails with deadline_exceeded, device_unauthorized
  // (the peer wants AUTH), unsupported (it wants TLS), protocol, closed or io.
  static Task<std::unique_ptr<TransportConnection>> establish(ByteStreamPtr link,
                                                              TransportOptions options);

  ~TransportConnection();
  TransportConnection(const TransportConnection&) = delete;
  TransportConnection& operator=(const TransportConnection&) = delete;

  // Fails with refused when the peer closes instead of accepting.
  Task<ByteStreamPtr> open(std::string service);

  [[nodiscard]] const Agreement& agreement() const;
  [[nodiscard]] bool is_closed() const;

  // Idempotent; streams end with link_lost.
  void close();
  // Returns once the link has ended, for whatever reason.
  asio::awaitable<void> wait_closed();

  struct Core;

 private:
  explicit TransportConnection(std::shared_ptr<Core> core);
  std::shared_ptr<Core> core_;
};

}  // namespace adbproto
