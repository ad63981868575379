#include "adbproto/client/transport_connection.hpp"

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <deque>
#include <map>

#include "adbproto/link/scope.hpp"
#include "adbproto/link/signal.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kReadSize = 256 * 1024;
constexpr std::size_t kWriteSize = 256 * 1024;  // what must get out within kWriteStall
constexpr std::size_t kOutboxRoom = 1 << 20;    // stream writers wait above this
constexpr std::size_t kOutboxLimit = 8 << 20;   // a peer that makes us queue more is hostile
constexpr auto kWriteStall = std::chrono::seconds(5);

// What a stream's reader and writer share with the connection's coroutines.
struct Channel {
  explicit Channel(const asio::any_io_executor& executor) : changed(executor) {}

  std::deque<Bytes> inbox;      // written by the read loop, drained by the stream's reader
  std::size_t front_taken = 0;  // bytes of inbox.front() already handed out
  bool opened = false;
  bool refused = false;
  bool ended = false;
  bool lost = false;  // ended with the link, not by the peer's CLSE
  Signal changed;
};

using ChannelPtr = std::shared_ptr<Channel>;

}  // namespace

struct TransportConnection::Core : std::enable_shared_from_this<Core> {
  Core(const asio::any_io_executor& on, ByteStreamPtr over, TransportOptions with)
      : executor(on),
        link(std::move(over)),
        options(std::move(with)),
        outbox_filled(on),
        outbox_drained(on),
        link_ended(on),
        scope(on) {}

  void apply(StreamActions& actions);
  void send(const Packet& packet);
  void incoming(LocalId id, std::string service);
  void shut(Error why);
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
  Agreement agreement;
  PacketReader reader{kMaxPayloadBeforeConnect};
  std::optional<StreamTable> table;  // once the handshake is done
  std::map<LocalId, ChannelPtr> channels;
  Bytes outbox;  // filled by whoever sends, taken whole by the write loop
  std::optional<Clock::time_point> write_began;
  std::optional<Error> end_reason;
  Signal outbox_filled;
  Signal outbox_drained;
  Signal link_ended;
  Scope scope;
};

namespace {

using Core = TransportConnection::Core;
using CorePtr = std::shared_ptr<Core>;

class ChannelStream final : public ByteStream {
 public:
  ChannelStream(CorePtr core, LocalId id, ChannelPtr channel)
      : core_(std::move(core)), id_(id), channel_(std::move(channel)) {}
  ~ChannelStream() override { ChannelStream::close(); }
  ChannelStream(const ChannelStream&) = delete;
  ChannelStream& operator=(const ChannelStream&) = delete;

  Task<void> wait_opened() {
    const ChannelPtr channel = channel_;
    while (!channel->opened && !channel->refused && !channel->ended)
      co_await channel->changed.wait();
    // Opened, answered and ended within one read is an opened stream.
    if (channel->refused) co_return fail(Errc::refused, "device refused the service");
    if (!channel->opened) co_return std::unexpected(end_error());
    co_return ok();
  }

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const ChannelPtr channel = channel_;
    while (channel->inbox.empty() && !channel->ended) co_await channel->changed.wait();
    if (channel->inbox.empty()) co_return std::unexpected(end_error());
    const std::size_t size = take(*channel, into);
    StreamActions actions;
    core_->table->consumed(id_, size, actions);
    core_->apply(actions);
    co_return size;
  }

  Task<void> write_all(ByteView bytes) override {
    const ChannelPtr channel = channel_;
    while (!bytes.empty()) {
      while (!channel->ended && !core_->may_write(id_)) {
        if (core_->table->may_write(id_)) {
          co_await core_->outbox_drained.wait();
        } else {
          co_await channel->changed.wait();
        }
      }
      if (channel->ended) co_return std::unexpected(end_error());
      const ByteView part =
          bytes.first(std::min<std::size_t>(bytes.size(), core_->agreement.max_payload));
      StreamActions actions;
      core_->table->write(id_, Bytes(part.begin(), part.end()), actions);
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
  static std::size_t take(Channel& channel, std::span<std::byte> into) {
    std::size_t size = 0;
    while (size < into.size() && !channel.inbox.empty()) {
      const Bytes& front = channel.inbox.front();
      const std::size_t part = std::min(into.size() - size, front.size() - channel.front_taken);
      std::memcpy(into.data() + size, front.data() + channel.front_taken, part);
      size += part;
      channel.front_taken += part;
      if (channel.front_taken < front.size()) break;
      channel.inbox.pop_front();
      channel.front_taken = 0;
    }
    return size;
  }

  [[nodiscard]] Error end_error() const {
    if (channel_->lost) return {Errc::link_lost, core_->end_reason->message()};
    return {Errc::closed, "end of stream"};
  }

  CorePtr core_;
  LocalId id_;
  ChannelPtr channel_;
};

class Incoming final : public IncomingStream {
 public:
  Incoming(CorePtr core, LocalId id, std::string service)
      : core_(std::move(core)), id_(id), service_(std::move(service)) {}
  ~Incoming() override { Incoming::refuse(); }
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;

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

}  // namespace

ChannelPtr TransportConnection::Core::add_channel(LocalId id) {
  auto channel = std::make_shared<Channel>(executor);
  channel->lost = end_reason.has_value();
  // An offer that the peer withdrew before it was accepted has ended.
  channel->ended = channel->lost || !table->knows(id);
  if (!channel->ended) channels.emplace(id, channel);
  return channel;
}

ChannelPtr TransportConnection::Core::find_channel(LocalId id) {
  const auto at = channels.find(id);
  return at == channels.end() ? nullptr : at->second;
}

void TransportConnection::Core::send(const Packet& packet) {
  const auto header = encode_packet_header(packet.command, packet.arg0, packet.arg1, packet.payload,
                                           checksum_rule(agreement.version));
  append(outbox, header);
  append(outbox, packet.payload);
  outbox_filled.notify_all();
}

void TransportConnection::Core::incoming(LocalId id, std::string service) {
  auto stream = std::make_unique<Incoming>(shared_from_this(), id, std::move(service));
  if (options.on_incoming) options.on_incoming(std::move(stream));
}

// Takes the actions out, because an action's effect may produce further ones.
void TransportConnection::Core::apply(StreamActions& actions) {
  for (StreamAction& action : std::exchange(actions, {})) {
    if (auto* packet = std::get_if<SendPacket>(&action)) {
      send(packet->packet);
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
    if (auto* data = std::get_if<Deliver>(&action))
      channel->inbox.push_back(std::move(data->payload));
    if (std::holds_alternative<Opened>(action)) channel->opened = true;
    if (std::holds_alternative<Refused>(action)) channel->refused = true;
    if (std::holds_alternative<Refused>(action) || std::holds_alternative<Ended>(action)) {
      channel->ended = true;
      channels.erase(id);
    }
    channel->changed.notify_all();
  }
}

void TransportConnection::Core::shut(Error why) {
  if (end_reason) return;
  end_reason = std::move(why);
  link->close();
  for (const auto& [id, channel] : std::exchange(channels, {})) {
    channel->ended = true;
    channel->lost = true;
    channel->changed.notify_all();
  }
  outbox_filled.notify_all();
  outbox_drained.notify_all();
  link_ended.notify_all();
  scope.cancel();
}

Result<void> TransportConnection::Core::take_packets() {
  StreamActions actions;
  for (;;) {
    TRY(auto packet, reader.next());
    if (!packet) return ok();
    TRY_VOID(table->on_packet(*std::move(packet), actions));
    apply(actions);
    if (outbox.size() > kOutboxLimit) return fail(Errc::limit, "peer sends but does not read");
  }
}

asio::awaitable<void> TransportConnection::Core::read_loop() {
  Bytes buffer(kReadSize);
  Result<void> taken = take_packets();  // what the handshake's last read brought along
  while (taken && !end_reason) {
    const auto size = co_await link->read_some(buffer);
    if (!size) co_return shut(size.error());
    reader.feed(ByteView(buffer).first(*size));
    taken = take_packets();
  }
  if (!taken) shut(taken.error());
}

asio::awaitable<void> TransportConnection::Core::write_loop() {
  while (!end_reason) {
    if (outbox.empty()) {
      co_await outbox_filled.wait();
      continue;
    }
    const Bytes batch = std::exchange(outbox, {});
    outbox_drained.notify_all();
    for (ByteView left = batch; !left.empty();) {
      const ByteView piece = left.first(std::min(left.size(), kWriteSize));
      write_began = Clock::now();
      const auto written = co_await link->write_all(piece);
      write_began.reset();
      if (!written) co_return shut(written.error());
      left = left.subspan(piece.size());
    }
  }
}

asio::awaitable<void> TransportConnection::Core::watch_writes() {
  while (!end_reason) {
    co_await sleep_for(std::chrono::seconds(1));
    if (write_began && Clock::now() - *write_began > kWriteStall) {
      shut(Error(Errc::deadline_exceeded, "the link takes no data"));
    }
  }
}

namespace {

Task<void> send_now(Core* core, Packet packet) {
  co_return co_await core->link->write_all(encode_packet(packet, ChecksumRule::sum));
}

Task<Agreement> shake_hands(Core* core) {
  Handshake handshake(core->options.role, core->options.banner, core->options.max_payload);
  if (auto first = handshake.start()) CO_TRY_VOID(co_await send_now(core, *std::move(first)));
  Bytes buffer(4096);
  for (;;) {
    CO_TRY(auto packet, core->reader.next());
    if (!packet) {
      CO_TRY(const std::size_t size, co_await core->link->read_some(buffer));
      core->reader.feed(ByteView(buffer).first(size));
      continue;
    }
    CO_TRY(auto step, handshake.on_packet(*packet));
    if (step.reply) CO_TRY_VOID(co_await send_now(core, *std::move(step.reply)));
    if (step.agreement) co_return *std::move(step.agreement);
  }
}

}  // namespace

Task<std::unique_ptr<TransportConnection>> TransportConnection::establish(
    ByteStreamPtr link, TransportOptions options) {
  const auto limit = options.handshake_limit;
  const auto executor = co_await asio::this_coro::executor;
  auto core = std::make_shared<Core>(executor, std::move(link), std::move(options));
  CO_TRY(core->agreement, co_await with_deadline(shake_hands(core.get()), limit, "handshake"));
  core->reader.set_max_payload(core->agreement.max_payload);
  core->table.emplace(StreamTableOptions{.max_payload = core->agreement.max_payload,
                                         .flow_control = core->agreement.flow_control,
                                         .receive_window = core->options.receive_window});
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
  co_return std::unique_ptr<TransportConnection>(new TransportConnection(std::move(core)));
}

TransportConnection::TransportConnection(std::shared_ptr<Core> core) : core_(std::move(core)) {}
TransportConnection::~TransportConnection() { close(); }

Task<ByteStreamPtr> TransportConnection::open(std::string service) {
  const CorePtr core = core_;
  if (core->end_reason) co_return fail(Errc::link_lost, core->end_reason->message());
  StreamActions actions;
  CO_TRY(const LocalId id, core->table->open(service, actions));
  auto stream = std::make_unique<ChannelStream>(core, id, core->add_channel(id));
  core->apply(actions);
  CO_TRY_VOID(co_await stream->wait_opened());
  co_return stream;
}

const Agreement& TransportConnection::agreement() const { return core_->agreement; }
bool TransportConnection::is_closed() const { return core_->end_reason.has_value(); }
void TransportConnection::close() { core_->shut(Error(Errc::closed, "connection closed by us")); }

asio::awaitable<void> TransportConnection::wait_closed() {
  const CorePtr core = core_;
  while (!core->end_reason) co_await core->link_ended.wait();
}

}  // namespace adbproto
