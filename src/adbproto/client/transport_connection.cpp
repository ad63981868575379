#include "adbproto/client/transport_connection.hpp"

#include <algorithm>
#include <map>

#include "adbproto/client/stream_buffers.hpp"
#include "adbproto/client/wire_observer.hpp"
#include "adbproto/session/stream_table.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kReadSize = 256 * 1024;
// If the link does not report how much it has sent, each part of this size must be sent within
// kWriteStall.
constexpr std::size_t kWriteSize = 256 * 1024;
constexpr std::size_t kOutboxLimit = 8 << 20;  // only a hostile peer makes us queue more
// A live link moves bytes within a second; a person waits 5 s for an error.
constexpr auto kWriteStall = std::chrono::seconds(5);
// Time for the CLSE of each open stream; the program ends this late at most.
constexpr auto kClosingReadLimit = std::chrono::milliseconds(300);

}  // namespace

// The state that a stream's reader and writer share with the connection's coroutines.
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
using CorePtr = std::shared_ptr<TransportConnection::Core>;

// The state that the coroutines and the streams of one connection share. One thread; a comment
// names a member's writer where it is only one.
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

  // Moves the actions out, because an action's effect may add further ones.
  void apply(StreamActions& actions) {
    for (StreamAction& action : std::exchange(actions, {})) {
      if (auto* packet = std::get_if<SendPacket>(&action)) {
        send(std::move(packet->packet));
        continue;
      }
      if (auto* opened = std::get_if<PeerOpened>(&action)) {
        incoming(opened->id, std::move(opened->service));
        continue;
      }
      const LocalId id = std::visit(
          [](const auto& some) -> LocalId {
            if constexpr (requires { some.id; }) return some.id;
            return LocalId{};
          },
          action);
      const ChannelPtr channel = find_channel(id);
      if (!channel) continue;
      if (auto* data = std::get_if<Deliver>(&action)) channel->inbox.add(std::move(data->payload));
      if (std::holds_alternative<Opened>(action)) channel->opened = true;
      if (std::holds_alternative<Refused>(action)) channel->refused = true;
      if (std::holds_alternative<Refused>(action) || std::holds_alternative<Ended>(action)) {
        channel->ended = true;
        channels.erase(id);
      }
      channel->changed.notify_all();
    }
  }

  void send(Packet&& packet) {
    report_packet(observer.get(), Direction::sent, packet);
    const auto header =
        encode_packet_header(packet.command, packet.arg0, packet.arg1, packet.payload,
                             checksum_rule(shaken.agreement.version));
    outbox.add(header, std::move(packet.payload));
    outbox_filled.notify_all();
  }

  // Returns false when the link is lost.
  asio::awaitable<bool> write_out(ByteView bytes) {
    while (!bytes.empty()) {
      const ByteView part = bytes.first(std::min(bytes.size(), kWriteSize));
      write_moved = Clock::now();
      const auto written = co_await link->write_all(part);
      write_moved.reset();
      if (!written) shut(written.error());
      if (!written) co_return false;
      bytes = bytes.subspan(part.size());
    }
    co_return true;
  }

  void incoming(LocalId id, std::string service);

  void end_streams(Error why) {
    if (end_reason) return;
    if (observer) observer->on_end(why.message());
    end_reason = std::move(why);
    for (const auto& [id, channel] : std::exchange(channels, {})) {
      channel->ended = true;
      channel->lost = true;
      channel->changed.notify_all();
    }
    outbox_filled.notify_all();
    outbox_drained.notify_all();
    link_ended.notify_all();
  }

  // On a cable the peer does not notice the end of our link: its services would continue. So a host
  // closes the open streams, and ends the link once those packets are sent, or cannot be sent. A
  // device ends the link at once, like a phone.
  void part(Error why) {
    if (end_reason) return;
    if (options.role == Role::device) return shut(std::move(why));
    StreamActions farewell;
    table->close_all(farewell);
    end_streams(std::move(why));
    apply(farewell);
    patience.cancel();
  }

  void shut(Error why) {
    end_streams(std::move(why));
    hang_up();
  }

  void hang_up() {
    if (std::exchange(hung_up, true)) return;
    link->close();
    outbox_filled.notify_all();
    scope.cancel();
  }

  asio::awaitable<void> read_loop() {
    // Not zeroed: that would cost each connection 50 us.
    const auto room = std::make_unique_for_overwrite<std::byte[]>(kReadSize);
    const std::span buffer(room.get(), kReadSize);
    Result<void> taken = take_packets();  // bytes that the handshake's last read contained
    while (taken && !hung_up) {
      const auto size = co_await link->read_some(buffer);
      if (!size) co_return shut(size.error());
      reader.feed(ByteView(buffer).first(*size));
      taken = take_packets();
      if (end_reason) outbox_filled.notify_all();  // everything may be sent by now
    }
    if (!taken) shut(taken.error());
  }

  asio::awaitable<void> write_loop() {
    while (!hung_up) {
      if (outbox.empty()) {
        if (end_reason && !table->awaits_farewell()) co_return hang_up();
        co_await outbox_filled.wait();
        continue;
      }
      auto pieces = outbox.take();
      outbox_drained.notify_all();
      for (Bytes& piece : pieces) {
        if (!co_await write_out(piece)) co_return;
        outbox.give_back(std::move(piece));
      }
    }
  }

  asio::awaitable<void> watch_writes() {
    std::uint64_t seen = 0;
    while (!end_reason) {
      patience.expires_after(std::chrono::seconds(1));
      co_await patience.async_wait(kNoThrow);
      const std::uint64_t sent = link->sent();
      if (write_moved && sent != seen) write_moved = Clock::now();
      seen = sent;
      if (write_moved && Clock::now() - *write_moved > kWriteStall) {
        co_return shut(Error(errc::deadline_exceeded, "the link accepts no data"));
      }
    }
    patience.expires_after(kClosingReadLimit);
    co_await patience.async_wait(kNoThrow);
    hang_up();
  }

  Result<void> take_packets() {
    StreamActions actions;
    for (;;) {
      TRY(auto packet, reader.next());
      if (!packet) return ok();
      report_packet(observer.get(), Direction::received, *packet);
      TRY_VOID(table->on_packet(*std::move(packet), actions));
      apply(actions);
      if (outbox.size() > kOutboxLimit)
        return fail(errc::limit, "the peer sends data but reads none");
    }
  }

  ChannelPtr add_channel(LocalId id) {
    auto channel = std::make_shared<Channel>(executor);
    channel->lost = end_reason.has_value();
    // An offer that the peer withdrew before our answer has ended.
    channel->ended = channel->lost || !table->has_stream(id);
    if (!channel->ended) channels.emplace(id, channel);
    return channel;
  }

  ChannelPtr find_channel(LocalId id) {
    const auto at = channels.find(id);
    return at == channels.end() ? nullptr : at->second;
  }

  [[nodiscard]] bool may_write(LocalId id) const {
    return table->may_write(id) && outbox.size() < kOutboxRoom;
  }

  asio::any_io_executor executor;
  ByteStreamPtr link;
  TransportOptions options;
  std::unique_ptr<LinkObserver> observer{};  // absent: no trace
  Shaken shaken;
  PacketReader reader{kMaxPayloadBeforeConnect};
  std::optional<StreamTable> table;  // once the handshake is done
  std::map<LocalId, ChannelPtr> channels;
  Outbox outbox;  // filled by every sender, taken whole by the write loop
  std::optional<Clock::time_point> write_moved;  // the last progress of the running write
  std::optional<Error> end_reason;  // all streams have ended; the last packets may still be sent
  bool hung_up = false;             // the link has ended, too
  Signal outbox_filled;
  Signal outbox_drained;
  Signal link_ended;
  Timer patience;  // of watch_writes; cancelled at the end
  Scope scope;
};

class ChannelStream final : public ByteStream {
 public:
  ChannelStream(CorePtr core, LocalId id, ChannelPtr channel)
      : core_(std::move(core)), id_(id), channel_(std::move(channel)) {}
  ~ChannelStream() override { ChannelStream::close(); }
  ChannelStream(const ChannelStream&) = delete;
  ChannelStream& operator=(const ChannelStream&) = delete;

  // Waits until the peer has accepted or refused.
  Task<void> wait_opened() {
    const ChannelPtr channel = channel_;
    const auto is_answered = [&] { return channel->opened || channel->refused || channel->ended; };
    if (!co_await wait_until(&channel->changed, is_answered)) {
      co_return fail(errc::cancelled, "cancelled");
    }
    // A stream that was opened, answered and ended within one read counts as opened.
    if (channel->refused) co_return fail(errc::refused, "device refused the service");
    if (!channel->opened) co_return std::unexpected(end_error());
    co_return ok();
  }

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const ChannelPtr channel = channel_;
    const auto has_more = [&] { return !channel->inbox.empty() || channel->ended; };
    if (!co_await wait_until(&channel->changed, has_more)) {
      co_return fail(errc::cancelled, "cancelled");
    }
    if (channel->inbox.empty()) co_return std::unexpected(end_error());
    const std::size_t size = channel->inbox.take(into);
    StreamActions actions;
    core_->table->consumed(id_, size, actions);
    core_->apply(actions);
    co_return size;
  }

  Task<void> write_all(ByteView bytes) override {
    const ChannelPtr channel = channel_;
    while (!bytes.empty()) {
      if (!core_->may_write(id_)) co_await wait_writable();
      if (channel->ended) co_return std::unexpected(end_error());
      const std::size_t most = core_->shaken.agreement.max_payload;
      const ByteView part = bytes.first(std::min(bytes.size(), most));
      StreamActions actions;
      core_->table->write(id_, core_->outbox.copy(part), actions);
      core_->apply(actions);
      bytes = bytes.subspan(part.size());
    }
    co_return ok();
  }

  void close() override {
    if (core_->channels.erase(id_) == 0) return;
    channel_->ended = true;
    channel_->inbox.clear();
    channel_->changed.notify_all();
    StreamActions actions;
    core_->table->close(id_, actions);
    core_->apply(actions);
  }

 private:
  asio::awaitable<void> wait_writable() {
    const ChannelPtr channel = channel_;
    while (!channel->ended && !core_->may_write(id_)) {
      if (core_->table->may_write(id_)) {
        co_await core_->outbox_drained.wait();
      } else {
        co_await channel->changed.wait();
      }
    }
  }

  [[nodiscard]] Error end_error() const {
    if (channel_->lost) return {errc::link_lost, core_->end_reason->message()};
    return {errc::closed, "end of stream"};
  }

  CorePtr core_;
  LocalId id_;
  ChannelPtr channel_;
};

class OfferedStream final : public IncomingStream {
 public:
  OfferedStream(CorePtr core, LocalId id, std::string service)
      : core_(std::move(core)), id_(id), service_(std::move(service)) {}
  ~OfferedStream() override { OfferedStream::refuse(); }
  OfferedStream(const OfferedStream&) = delete;
  OfferedStream& operator=(const OfferedStream&) = delete;

  [[nodiscard]] const std::string& service() const override { return service_; }

  ByteStreamPtr accept() override {
    auto stream = std::make_unique<ChannelStream>(core_, id_, core_->add_channel(id_));
    answer(&StreamTable::accept);
    return stream;
  }

  void refuse() override { answer(&StreamTable::refuse); }

 private:
  void answer(void (StreamTable::*verb)(LocalId, StreamActions&)) {
    if (std::exchange(answered_, true)) return;
    StreamActions actions;
    ((*core_->table).*verb)(id_, actions);
    core_->apply(actions);
  }

  CorePtr core_;
  LocalId id_;
  std::string service_;
  bool answered_ = false;
};

void TransportConnection::Core::incoming(LocalId id, std::string service) {
  auto stream = std::make_unique<OfferedStream>(shared_from_this(), id, std::move(service));
  if (options.on_incoming && !end_reason) options.on_incoming(std::move(stream));
}

Task<std::unique_ptr<TransportConnection>> TransportConnection::establish(
    ByteStreamPtr link, TransportOptions options) {
  const auto executor = co_await asio::this_coro::executor;
  auto core = std::make_shared<Core>(executor, std::move(link), std::move(options));
  WireObserver* watching = WireWatch::of(executor);
  if (watching && core->options.role == Role::host) {
    core->observer = watching->on_link(core->options.name);
  }
  CO_TRY(core->shaken,
         co_await shake_hands(&core->link, &core->reader, &core->options, core->observer.get()));
  const Agreement& agreement = core->shaken.agreement;
  core->reader.set_max_payload(agreement.max_payload);
  core->table.emplace(StreamTableOptions{.role = core->options.role,
                                         .max_payload = agreement.max_payload,
                                         .flow_control = agreement.flow_control,
                                         .receive_window = core->options.receive_window,
                                         .restart = core->options.restart});
  std::unique_ptr<TransportConnection> connection(new TransportConnection(core));
  if (core->options.early) connection->adopt_early();
  // A device that revokes its agreement in the same read never agreed.
  if (core->options.role == Role::host) CO_TRY_VOID(core->take_packets());
  // The scope is part of the core, so a coroutine that keeps the core alive keeps itself alive;
  // shut() ends all three and with them the cycle.
  const auto run = [core](asio::awaitable<void> (Core::*loop)()) {
    core->scope.spawn(
        [](CorePtr kept, asio::awaitable<void> (Core::*member)()) -> asio::awaitable<void> {
          co_await ((*kept).*member)();
        }(core, loop));
  };
  run(&Core::read_loop);
  run(&Core::write_loop);
  run(&Core::watch_writes);
  co_return connection;
}

// The stream's id is used up in any case: the peer may still refuse it later.
void TransportConnection::adopt_early() {
  const EarlyOpen& early = *core_->options.early;
  StreamActions actions;
  const auto id = core_->table->open(early.service, actions);
  if (!id) return;
  const auto sent = early_packet(early, core_->options.receive_window);
  if (shaken().agreed_at_once && sent && actions == StreamActions{SendPacket{*sent}}) {
    early_ = std::make_unique<ChannelStream>(core_, *id, core_->add_channel(*id));
  } else {
    const Packet refusal{Command::close, 0, static_cast<std::uint32_t>(*id), {}};
    [[maybe_unused]] const auto gone = core_->table->on_packet(refusal, actions);
  }
}

TransportConnection::TransportConnection(std::shared_ptr<Core> core) : core_(std::move(core)) {}
TransportConnection::~TransportConnection() { close(); }

Task<ByteStreamPtr> TransportConnection::open(std::string service) {
  const CorePtr core = core_;
  if (core->end_reason) co_return fail(errc::link_lost, core->end_reason->message());
  if (early_ && core->options.early->service == service) {
    auto stream = std::move(early_);
    CO_TRY_VOID(co_await stream->wait_opened());
    co_return stream;
  }
  StreamActions actions;
  CO_TRY(const LocalId id, core->table->open(service, actions));
  auto stream = std::make_unique<ChannelStream>(core, id, core->add_channel(id));
  core->apply(actions);
  CO_TRY_VOID(co_await stream->wait_opened());
  co_return stream;
}

const Shaken& TransportConnection::shaken() const { return core_->shaken; }
void TransportConnection::on_incoming(std::function<void(std::unique_ptr<IncomingStream>)> take) {
  core_->options.on_incoming = std::move(take);
}
bool TransportConnection::is_closed() const { return core_->end_reason.has_value(); }
void TransportConnection::close(std::string why) {
  core_->part(Error(errc::closed, std::move(why)));
}

asio::awaitable<void> TransportConnection::wait_closed() {
  const CorePtr core = core_;
  while (!core->end_reason) co_await core->link_ended.wait();
}

}  // namespace adbproto
