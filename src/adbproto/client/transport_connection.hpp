#pragma once
// The driver of a direct transport, for either role: a byte link below, streams above.
//
//   link --bytes--> PacketReader --Packet--> StreamTable --Deliver--> stream.read_some()
//   link <--bytes-- writer <-- outbox <--SendPacket-- StreamTable <-- stream.write_all()
//
// One coroutine reads the link, one writes it; both live as long as the connection. Buffers are
// bounded: a stream's unread bytes by the receive window, the outbox by kOutboxLimit. A write
// without progress for 5 s ends the connection. When the link ends, every stream ends with
// link_lost and the same text. A host that closes the connection ends its streams on the device
// first, if the link sends that within 300 ms. shake_hands.cpp has the handshake before it.

#include <asio/any_io_executor.hpp>

#include "adbproto/client/device.hpp"
#include "adbproto/client/key_store.hpp"
#include "adbproto/session/handshake.hpp"
#include "base/async/byte_stream.hpp"

namespace adbproto {

class LinkObserver;  // client/wire_observer.hpp

// A stream that the peer wants to open. It is refused if it is destroyed without an answer.
class IncomingStream {
 public:
  virtual ~IncomingStream() = default;
  [[nodiscard]] virtual const std::string& service() const = 0;
  virtual ByteStreamPtr accept() = 0;
  virtual void refuse() = 0;
};

// The state of a link until the device is usable; `authorizing` may last minutes, until a person
// accepts the key on the phone.
enum class LinkState { connecting, authorizing, unauthorized, ready };

struct TransportOptions {
  Role role = Role::host;
  std::string name{};  // the link's name for observers
  Banner banner{};     // our announcement
  std::uint32_t max_payload = kMaxPayload;
  std::uint32_t receive_window = 1 << 20;
  Restart restart = Restart::ends_link;
  std::chrono::milliseconds handshake_limit{5000};
  // Called on the link's executor; if absent, every stream of the peer is refused.
  std::function<void(std::unique_ptr<IncomingStream>)> on_incoming{};
  // How long a person may take to confirm a key. Zero: a host does not offer its key.
  std::chrono::milliseconds authorization_limit{0};

  // Host: loads the keys when the device requires one; if absent, such a device is unauthorized.
  LoadKeys keys{};
  std::function<void(LinkState)> on_state{};
  std::optional<EarlyOpen> early{};
  std::optional<Error> without_tls{};  // Handshake::require_tls

  // Device: its requirements for hosts, its way to turn a link into TLS (`already_read` are the
  // first bytes), and its decision about an offered key (ends when the key is accepted; absent:
  // never).
  DeviceTrust trust{};
  std::function<Task<ByteStreamPtr>(ByteStreamPtr link, Bytes already_read)> start_tls{};
  std::function<Task<void>(std::string public_text)> confirm{};
};

// How a handshake ended.
struct Shaken {
  Agreement agreement{};
  bool encrypted = false;
  bool agreed_at_once = true;                      // the device's first packet was its agreement
  std::optional<std::chrono::microseconds> rtt{};  // from a host's first packet to the peer's
};

// Drives session/handshake over a link: reads keys, adds TLS to the link, and waits for the owner
// when the machine requires it. `link` becomes TLS if the device requires it, and is gone when that
// fails; `reader` keeps the bytes after the last packet. All arguments must outlive the task.
Task<Shaken> shake_hands(ByteStreamPtr* link, PacketReader* reader, const TransportOptions* options,
                         LinkObserver* observer);

// The packet that opens the stream; nullopt if it exceeds the limit before the agreement.
std::optional<Packet> early_packet(const EarlyOpen& early, std::uint32_t receive_window);

class TransportConnection {
 public:
  // Shakes hands and starts the two coroutines. Fails with deadline_exceeded, device_unauthorized
  // (its message contains the remedy), protocol, limit, unsupported (no TLS here), cancelled,
  // options.without_tls, the error of loading the keys, or an error of the link. A host gets
  // the link's closed and io only before the device's first packet; after it they are link_lost.
  static Task<std::unique_ptr<TransportConnection>> establish(ByteStreamPtr link,
                                                              TransportOptions options);

  ~TransportConnection();
  TransportConnection(const TransportConnection&) = delete;
  TransportConnection& operator=(const TransportConnection&) = delete;

  // Fails with refused when the peer closes instead of accepting.
  Task<ByteStreamPtr> open(std::string service);

  [[nodiscard]] const Shaken& shaken() const;
  [[nodiscard]] const Agreement& agreement() const { return shaken().agreement; }
  [[nodiscard]] bool is_closed() const;

  // Replaces options.on_incoming.
  void on_incoming(std::function<void(std::unique_ptr<IncomingStream>)> take);

  // Idempotent. Streams end at once with link_lost and that reason; the link ends when the last
  // packets are sent.
  void close(std::string why = "connection closed by us");
  // Returns once the streams have ended, for any reason.
  asio::awaitable<void> wait_closed();

  struct Core;

 private:
  explicit TransportConnection(std::shared_ptr<Core> core);
  void adopt_early();
  std::shared_ptr<Core> core_;
  std::unique_ptr<class ChannelStream> early_{};  // until open() is called with its service
};

}  // namespace adbproto
