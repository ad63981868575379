// A claimed adb interface as a byte stream of transport packets.
//
//   write_all -> UsbOutbound -> pending -> up to 8 transfers in flight
//   read_some <- ready <- UsbInbound <- up to 5 transfers in flight

#include <algorithm>
#include <deque>
#include <map>

#include "adbproto/link/usb_engine.hpp"
#include "adbproto/session/usb_framing.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/async/signal.hpp"

namespace adbproto {
namespace {

// Eight of kUsbPiece (256 KiB) keep the bus busy; the kernel grants all of usbfs 16 MiB by default.
constexpr std::size_t kMaxWrites = 8;
constexpr std::size_t kSmallPiece = 16 * 1024;  // if memory for transfers is short
// Other links free memory without an event; a transfer takes milliseconds.
constexpr auto kMemoryPause = std::chrono::milliseconds(10);
constexpr int kMaxStalls = 3;  // in a row; a cleared endpoint that stalls again is broken

struct UsbStreamState {
  UsbStreamState(const asio::any_io_executor& executor, UsbEngine* of,
                 std::shared_ptr<UsbPipe> over)
      : engine(of),
        pipe(std::move(over)),
        inbound(pipe->entry().interface.in_packet_size),
        outbound(pipe->entry().interface.out_packet_size),
        changed(executor) {}

  void end(Error why) {
    if (ended) return;
    ended = std::move(why);
    pipe->set_on_ready({});
    engine->close(pipe);
    changed.notify_all();
  }

  void collect() {
    for (UsbTransferPtr& transfer : pipe->take()) {
      if (ended) return;
      const bool is_in = transfer->direction == UsbDirection::in;
      --(is_in ? in : out).in_flight;
      is_in ? on_in(std::move(transfer)) : on_out(std::move(transfer));
    }
    submit_reads();
    submit_writes();
    changed.notify_all();
  }

  void on_in(UsbTransferPtr transfer) {
    if (transfer->end == UsbEnd::stalled) on_stall(UsbDirection::in);
    const bool halted = transfer->end == UsbEnd::stalled || transfer->end == UsbEnd::cancelled;
    if (transfer->end != UsbEnd::done && !halted) return end(bad_end(transfer->end));
    if (halted && transfer->size == 0) return inbound.on_cancelled();
    in.stalls = in.stalled ? in.stalls : 0;
    const auto verdict = inbound.on_read(transfer->received());
    if (!verdict) return end(verdict.error());
    (*verdict == UsbVerdict::deliver) ? ready.push_back(std::move(transfer))
                                      : spare.push_back(std::move(transfer));
  }

  void on_out(UsbTransferPtr transfer) {
    if (transfer->end == UsbEnd::stalled) on_stall(UsbDirection::out);
    if (transfer->end == UsbEnd::stalled || (out.stalled && transfer->end == UsbEnd::cancelled)) {
      const auto rest = ByteView(transfer->buffer).first(transfer->length).subspan(transfer->size);
      // An empty transfer is a message, too; the empty rest of another one is not.
      if (!rest.empty() || transfer->length == 0)
        returned.emplace(transfer->number, Bytes(rest.begin(), rest.end()));
      return;
    }
    const bool whole = transfer->end == UsbEnd::done && transfer->size == transfer->length;
    if (!whole) return end(bad_end(transfer->end));
    out.stalls = 0;
  }

  void on_stall(UsbDirection direction) {
    Lane& lane = direction == UsbDirection::in ? in : out;
    if (std::exchange(lane.stalled, true)) return;
    if (++lane.stalls > kMaxStalls) {
      return end(Error(errc::link_lost, address() + " refuses transfers repeatedly"));
    }
    pipe->cancel(direction);
  }

  void submit_reads() {
    while (!ended && !in.stalled && ready.size() + in.in_flight < kMaxUsbReads) {
      const auto size = inbound.next_read();
      if (!size) return;
      auto transfer = make_read(*size);
      const UsbSubmit outcome = pipe->submit(transfer);
      if (outcome == UsbSubmit::gone) return end(bad_end(UsbEnd::gone));
      if (outcome == UsbSubmit::failed) return end(bad_end(UsbEnd::failed));
      if (outcome == UsbSubmit::submitted) {
        inbound.on_queued(*size);
        ++in.in_flight;
        starved = false;
      } else if (*size > kSmallPiece) {
        inbound.limit_piece(kSmallPiece);
      } else {
        return on_starved();
      }
    }
  }

  void submit_writes() {
    while (!ended && !out.stalled && !pending.empty() && out.in_flight < kMaxWrites) {
      auto transfer = std::make_unique<UsbTransfer>();
      transfer->direction = UsbDirection::out;
      transfer->number = ++writes;
      transfer->length = pending.front().size();
      transfer->buffer = std::move(pending.front());
      const UsbSubmit outcome = pipe->submit(transfer);
      if (outcome == UsbSubmit::gone) return end(bad_end(UsbEnd::gone));
      if (outcome == UsbSubmit::failed) return end(bad_end(UsbEnd::failed));
      if (outcome == UsbSubmit::submitted) {
        pending.pop_front();
        ++out.in_flight;
        starved = false;
        continue;
      }
      pending.front() = std::move(transfer->buffer);
      if (pending.front().size() <= kSmallPiece) return on_starved();
      split_writes();
    }
  }

  UsbTransferPtr make_read(std::size_t size) {
    auto transfer = spare.empty() ? std::make_unique<UsbTransfer>() : std::move(spare.back());
    if (!spare.empty()) spare.pop_back();
    if (transfer->buffer.size() < size) transfer->buffer.resize(size);
    transfer->direction = UsbDirection::in;
    transfer->length = size;
    return transfer;
  }

  // With nothing in flight no memory will be freed.
  void on_starved() {
    if (in.in_flight + out.in_flight == 0) {
      return end(Error(errc::limit, address() + ": no memory for usb transfers"));
    }
    if (!std::exchange(starved, true)) changed.notify_all();
  }

  // Memory is freed by the transfers in flight, or by other streams, which do not report it.
  asio::awaitable<void> wait() {
    using namespace base::parallel;
    if (!starved) co_return co_await changed.wait();
    co_await (changed.wait() || sleep_for(kMemoryPause));
    submit_reads();
    submit_writes();
  }

  // Transfers of 16 KiB: multiples of every USB packet size, so that none ends the payload early.
  void split_writes() {
    const Bytes whole = std::exchange(pending.front(), {});
    pending.pop_front();
    std::deque<Bytes> pieces;
    for (ByteView left = whole; !left.empty();) {
      const ByteView piece = left.first(std::min(left.size(), kSmallPiece));
      pieces.emplace_back(piece.begin(), piece.end());
      left = left.subspan(piece.size());
    }
    pending.insert(pending.begin(), std::move_iterator(pieces.begin()),
                   std::move_iterator(pieces.end()));
  }

  Task<void> recover() {
    for (const auto direction : {UsbDirection::in, UsbDirection::out}) {
      Lane& lane = direction == UsbDirection::in ? in : out;
      if (!lane.stalled || lane.in_flight > 0) continue;
      const auto over = pipe;
      const auto cleared =
          co_await engine->run_blocking([over, direction] { return over->clear_halt(direction); });
      if (!cleared) end(Error(errc::link_lost, cleared.error().message()));
      lane.stalled = false;
    }
    while (!out.stalled && !returned.empty()) {
      const auto last = std::prev(returned.end());
      pending.push_front(std::move(last->second));
      returned.erase(last);
    }
    submit_reads();
    submit_writes();
    changed.notify_all();
    co_return ok();
  }

  std::size_t take(std::span<std::byte> into) {
    std::size_t size = 0;
    while (size < into.size() && !ready.empty()) {
      const ByteView left = ready.front()->received().subspan(front_taken);
      const std::size_t part = std::min(into.size() - size, left.size());
      std::ranges::copy(left.first(part), into.begin() + static_cast<std::ptrdiff_t>(size));
      size += part;
      front_taken += part;
      if (part < left.size()) break;
      spare.push_back(std::move(ready.front()));
      ready.pop_front();
      front_taken = 0;
    }
    return size;
  }

  [[nodiscard]] Error bad_end(UsbEnd how) const {
    if (how == UsbEnd::timed_out) return {errc::deadline_exceeded, address() + " accepts no data"};
    if (how == UsbEnd::gone) return {errc::link_lost, address() + " was unplugged"};
    return {errc::link_lost, address() + ": a usb transfer failed"};
  }

  [[nodiscard]] const std::string& address() const { return pipe->entry().device.address; }

  // `stalled`: nothing is submitted until the transfers in flight have returned and the halt is
  // cleared.
  struct Lane {
    std::size_t in_flight = 0;
    bool stalled = false;
    int stalls = 0;
  };

  UsbEngine* engine;
  std::shared_ptr<UsbPipe> pipe;
  UsbInbound inbound;
  UsbOutbound outbound;
  std::deque<UsbTransferPtr> ready;  // received and not yet read
  std::size_t front_taken = 0;
  std::vector<UsbTransferPtr> spare;  // read buffers to use again
  std::deque<Bytes> pending;          // waiting to be written
  // Returned by a stall, to be written before `pending`; by number, because they return in any
  // order.
  std::map<std::uint64_t, Bytes> returned;
  std::uint64_t writes = 0;
  Lane in;
  Lane out;
  bool starved = false;  // a transfer waits for memory
  std::optional<Error> ended;
  Signal changed;
};

class UsbStream final : public ByteStream {
 public:
  explicit UsbStream(std::shared_ptr<UsbStreamState> state) : state_(std::move(state)) {
    state_->pipe->set_on_ready([state = state_.get()] { state->collect(); });
    state_->submit_reads();
  }
  ~UsbStream() override { UsbStream::close(); }
  UsbStream(const UsbStream&) = delete;
  UsbStream& operator=(const UsbStream&) = delete;

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const auto state = state_;
    for (;;) {
      if (const std::size_t size = state->take(into)) {
        state->submit_reads();
        co_return size;
      }
      if (state->ended) co_return std::unexpected(*state->ended);
      if (can_recover(state->in) || can_recover(state->out)) {
        CO_TRY_VOID(co_await state->recover());
      } else {
        co_await state->wait();
      }
    }
  }

  // Done when everything is submitted. A transfer that the phone does not accept within 5 s ends
  // the stream. Requires a reader at the same time: only read_some clears the halt of an endpoint,
  // also of the one for writes.
  Task<void> write_all(ByteView bytes) override {
    const auto state = state_;
    if (!state->ended) CO_TRY_VOID(state->outbound.feed(bytes, state->pending));
    state->submit_writes();
    while (!state->ended && !(state->pending.empty() && state->returned.empty())) {
      co_await state->wait();
    }
    if (state->ended) co_return std::unexpected(*state->ended);
    co_return ok();
  }

  void close() override {
    state_->end(Error(errc::closed, "stream closed"));
    state_->ready.clear();
  }

 private:
  static bool can_recover(const UsbStreamState::Lane& lane) {
    return lane.stalled && lane.in_flight == 0;
  }

  std::shared_ptr<UsbStreamState> state_;
};

}  // namespace

ByteStreamPtr make_usb_stream(const asio::any_io_executor& executor, UsbEngine* engine,
                              std::shared_ptr<UsbPipe> pipe) {
  return std::make_unique<UsbStream>(
      std::make_shared<UsbStreamState>(executor, engine, std::move(pipe)));
}

}  // namespace adbproto
