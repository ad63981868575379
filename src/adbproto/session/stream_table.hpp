#pragma once
// The streams of one direct transport, as a pure machine that serves host and device alike.
//
//   open() --OPEN--> opening --OKAY--> open --close()/CLSE--> (closing --CLSE-->) gone
//   peer OPEN --PeerOpened--> offered --accept()--> open
//                                     --refuse()--> gone, CLSE(0,id) sent
//
// Events go in (a packet, a caller's request); actions come out in order, appended to `out`. Flow
// control is classic (one WRTE, then wait for its OKAY) or delayed_ack (byte credit), fixed for
// each connection. It tolerates what real peers do: CLSE twice, CLSE(0,id), OKAY and WRTE for ended
// streams (answered with CLSE), unknown commands. An OKAY of the wrong form ends its stream. Three
// packets end a host's link. A device that requires a key after all has not accepted us: the cable
// still held an earlier connection's agreement. One that sends its CNXN again has lost our streams.
// One that accepts a service under the id 0 can never be sent a byte. The coroutine that drives it,
// for both roles: adbproto/client/transport_connection.hpp.

#include <map>
#include <variant>

#include "adbproto/wire/packet.hpp"
#include "base/error.hpp"

namespace adbproto {

enum class LocalId : std::uint32_t {};
enum class RemoteId : std::uint32_t {};
enum class Role { host, device };
enum class FlowControl { classic, delayed_ack };
// A device's CNXN in an open connection. On a cable it may be the late answer to an earlier host.
enum class Restart { ends_link, ignored };

struct SendPacket {
  Packet packet;
  bool operator==(const SendPacket&) const = default;
};
struct Opened {  // our open() was accepted
  LocalId id;
  bool operator==(const Opened&) const = default;
};
struct Refused {  // our open() was refused; the id is gone
  LocalId id;
  bool operator==(const Refused&) const = default;
};
struct PeerOpened {  // answer with accept() or refuse()
  LocalId id;
  std::string service;
  bool operator==(const PeerOpened&) const = default;
};
struct Deliver {  // report with consumed() when the reader has taken it
  LocalId id;
  Bytes payload;
  bool operator==(const Deliver&) const = default;
};
struct Writable {  // write() is allowed again
  LocalId id;
  bool operator==(const Writable&) const = default;
};
struct Ended {  // the peer closed it, or broke its rules; the id is gone
  LocalId id;
  bool operator==(const Ended&) const = default;
};
using StreamAction =
    std::variant<SendPacket, Opened, Refused, PeerOpened, Deliver, Writable, Ended>;
using StreamActions = std::vector<StreamAction>;

struct StreamTableOptions {
  Role role = Role::host;
  std::uint32_t max_payload = kMaxPayload;
  FlowControl flow_control = FlowControl::classic;
  std::uint32_t receive_window = 1 << 20;  // a stream's unread bytes at which acknowledgements stop
  std::size_t max_streams = 1024;          // of both sides, including closing ones
  Restart restart = Restart::ends_link;    // host
};

class StreamTable {
 public:
  explicit StreamTable(StreamTableOptions options) : options_(options) {}

  // Fails with limit when `service` does not fit a packet or too many streams are open.
  Result<LocalId> open(std::string_view service, StreamActions& out);
  void accept(LocalId id, StreamActions& out);
  void refuse(LocalId id, StreamActions& out);

  // Requires may_write(id) and payload.size() <= max_payload.
  void write(LocalId id, Bytes payload, StreamActions& out);
  [[nodiscard]] bool may_write(LocalId id) const;

  // The reader has taken `bytes` of the delivered data; sends withheld acknowledgements.
  void consumed(LocalId id, std::size_t bytes, StreamActions& out);

  // Closes from our side. The peer's late packets are dropped. Unknown ids are ignored.
  void close(LocalId id, StreamActions& out);
  void close_all(StreamActions& out);
  // True if a closed stream waits for the peer's id, without which the peer cannot be notified.
  [[nodiscard]] bool awaits_farewell() const;

  // An error means that the link itself is unusable.
  Result<void> on_packet(Packet packet, StreamActions& out);

  // The number of ignored invalid packets.
  [[nodiscard]] std::uint64_t ignored() const { return ignored_; }
  [[nodiscard]] std::size_t size() const { return streams_.size(); }
  [[nodiscard]] bool has_stream(LocalId id) const { return streams_.contains(id); }
  [[nodiscard]] const StreamTableOptions& options() const { return options_; }

 private:
  enum class State { opening, offered, open, closing };
  struct Stream {
    State state = State::opening;
    RemoteId remote{};
    std::int64_t credit = 0;    // classic: 1 = may write; delayed_ack: bytes
    std::size_t unread = 0;     // delivered, not consumed
    std::size_t unacked = 0;    // delayed_ack: consumed, not acknowledged
    std::size_t owed_acks = 0;  // classic: OKAYs withheld
  };
  using Streams = std::map<LocalId, Stream>;

  [[nodiscard]] bool delayed() const { return options_.flow_control == FlowControl::delayed_ack; }
  LocalId next_id();
  void send_okay(LocalId id, const Stream& stream, std::size_t acked, StreamActions& out) const;
  void end(Streams::iterator at, StreamActions& out);
  Result<void> on_okay(const Packet& packet, StreamActions& out);
  void take_okay(Streams::iterator at, const Packet& packet, StreamActions& out);
  void on_open(const Packet& packet, StreamActions& out);
  void on_write(Packet packet, StreamActions& out);
  void on_close(const Packet& packet, StreamActions& out);
  void forget_oldest_closing();

  StreamTableOptions options_;
  Streams streams_;
  std::uint32_t last_id_ = 0;
  std::uint64_t ignored_ = 0;
};

}  // namespace adbproto
