#pragma once
// What the coroutines and the streams of one TransportConnection share; for this folder's .cpp
// files only. One thread; each member names its writer where that is not everybody.

#include <map>
#include <optional>

#include "adbproto/client/inbox.hpp"
#include "adbproto/client/outbox.hpp"
#include "adbproto/client/shake_hands.hpp"
#include "adbproto/client/transport_connection.hpp"
#include "adbproto/link/scope.hpp"
#include "adbproto/link/signal.hpp"
#include "adbproto/session/stream_table.hpp"

namespace adbproto {

// What a stream's reader and writer share with the connection's coroutines.
struct Channel {
  explicit Channel(const asio::any_io_executor& executor) : changed(executor) {}

  Inbox inbox;  // filled by the read loop, drained by the stream's reader
  bool opened = false;
  bool refused = false;
  bool ended = false;
  bool lost = false;  // ended with the link, not by the peer's CLSE
  Signal changed;
};

using ChannelPtr = std::shared_ptr<Channel>;

struct TransportConnection::Core : std::enable_shared_from_this<Core> {
  static constexpr std::size_t kOutboxRoom = 1 << 20;  // stream writers wait above this

  Core(const asio::any_io_executor& on, ByteStreamPtr over, TransportOptions with)
      : executor(on),
        link(std::move(over)),
        options(std::move(with)),
        outbox_filled(on),
        outbox_drained(on),
        link_ended(on),
        patience(on),
        scope(on) {}

  void apply(StreamActions& actions);
  void send(Packet&& packet);
  asio::awaitable<bool> write_out(ByteView bytes);
  void incoming(LocalId id, std::string service);
  void end_streams(Error why);
  void part(Error why);
  void shut(Error why);
  void hang_up();
  asio::awaitable<void> read_loop();
  asio::awaitable<void> write_loop();
  asio::awaitable<void> watch_writes();
  Result<void> take_packets();
  ChannelPtr add_channel(LocalId id);
  ChannelPtr find_channel(LocalId id);
  [[nodiscard]] bool may_write(LocalId id) const {
    return table->may_write(id) && outbox.size() < kOutboxRoom;
  }

  asio::any_io_executor executor;
  ByteStreamPtr link;
  TransportOptions options;
  std::unique_ptr<LinkObserver> observer{};  // absent: nobody watches
  Shaken shaken;
  PacketReader reader{kMaxPayloadBeforeConnect};
  std::optional<StreamTable> table;  // once the handshake is done
  std::map<LocalId, ChannelPtr> channels;
  Outbox outbox;  // filled by whoever sends, taken whole by the write loop
  std::optional<Clock::time_point> write_moved;  // the write under way, when it last got on
  std::optional<Error> end_reason;  // no stream any more; the link may still take our farewell
  bool hung_up = false;             // no link either
  Signal outbox_filled;
  Signal outbox_drained;
  Signal link_ended;
  Timer patience;  // of watch_writes; cancelled when we part
  Scope scope;
};

}  // namespace adbproto
