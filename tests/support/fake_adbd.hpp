#pragma once
// adbd on a loopback port or another link: the device role. Its services are those of a FakeDevice,
// found by the longest prefix of their name; a name that it does not serve is refused.

#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "support/fake_device.hpp"

namespace adbproto::testing {

// What it reads comes late, by what `delay` is at that moment.
using DelayPtr = std::shared_ptr<const Clock::duration>;
class LateStream final : public ByteStream {
 public:
  LateStream(ByteStreamPtr inner, DelayPtr delay)
      : inner_(std::move(inner)), delay_(std::move(delay)) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    auto size = co_await inner_->read_some(into);
    // Manual time: a test that sets a delay moves it.
    if (*delay_ > Clock::duration::zero()) co_await sleep_for(*delay_);
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { return inner_->write_all(bytes); }
  void close() override { inner_->close(); }

 private:
  ByteStreamPtr inner_;
  DelayPtr delay_;
};

class FakeAdbd {
 public:
  explicit FakeAdbd(Loop& loop) : state_(std::make_shared<State>(loop.executor())) {
    auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
    if (!listener) throw std::runtime_error(listener.error().message());
    state_->listener = *std::move(listener);
    state_->scope.spawn(accept_all(state_));
  }
  ~FakeAdbd() {
    state_->listener->close();
    state_->scope.cancel();
  }
  FakeAdbd(const FakeAdbd&) = delete;
  FakeAdbd& operator=(const FakeAdbd&) = delete;

  FakeAdbd& serve(std::string prefix, FakeService service) {
    state_->services[std::move(prefix)] = std::move(service);
    return *this;
  }
  void serves_nothing() { state_->services.clear(); }
  FakeAdbd& answers(std::string service, std::string bytes) {
    return serve(std::move(service), says(std::move(bytes)));
  }
  // What its banner says; "device" with shell_v2 and cmd if nothing else is said.
  FakeAdbd& is_in(std::string type) {
    state_->options.banner.type = std::move(type);
    return *this;
  }
  FakeAdbd& is_model(std::string model) {
    state_->options.banner.model = std::move(model);
    return *this;
  }
  FakeAdbd& offers(std::string_view feature) {
    state_->options.banner.features.add(feature);
    return *this;
  }
  // Everybody, or (`key`) who has one of these keys: no person is there.
  FakeAdbd& lets_in(Admission admission, std::vector<std::string> authorised = {}) {
    state_->options.trust.admission = admission;
    state_->options.trust.authorised = std::move(authorised);
    return *this;
  }
  // Its system answers at once, it itself that much later.
  FakeAdbd& is_far(Clock::duration delay) {
    state_->delay = delay;
    return *this;
  }
  // Further links are accepted and then nothing is said.
  FakeAdbd& answers_only(std::size_t links) {
    state_->answered = links;
    return *this;
  }
  // The next links end as soon as they are there, as adbd's do when many come at once.
  FakeAdbd& hangs_up_on(std::size_t links) {
    state_->hung_up = links;
    return *this;
  }
  [[nodiscard]] std::size_t dialled() const { return state_->dialled; }
  // Every name that a host asked for, in order.
  [[nodiscard]] const std::vector<std::string>& opened() const { return state_->opened; }
  // One link that exists already, such as the end of a memory pair.
  void attach(ByteStreamPtr link) { state_->scope.spawn(talk(state_, std::move(link))); }
  // The host's end of a new link in memory.
  ByteStreamPtr attach(Loop& loop) {
    auto [ours, theirs] = make_memory_pair(loop.executor());
    attach(std::move(theirs));
    return std::move(ours);
  }
  // Every link ends, as when the phone leaves the network for a moment.
  void drop_links() {
    for (TransportConnection* connection : state_->connections) connection->close();
  }
  [[nodiscard]] std::size_t links() const { return state_->connections.size(); }
  [[nodiscard]] std::size_t accepted() const { return state_->accepted; }
  [[nodiscard]] std::string address() const {
    return "127.0.0.1:" + std::to_string(state_->listener->port());
  }

 private:
  struct State {
    explicit State(const asio::any_io_executor& executor) : scope(executor) {
      options.role = Role::device;
      options.banner = {.type = "device", .features = {"shell_v2", "cmd"}};
      options.trust.admission = Admission::open;
    }
    ListenerPtr listener;
    TransportOptions options;
    Clock::duration delay{};
    std::size_t answered = std::numeric_limits<std::size_t>::max();
    std::map<std::string, FakeService> services;
    std::vector<std::string> opened;
    std::set<TransportConnection*> connections;
    std::size_t links = 0;
    std::size_t dialled = 0;
    std::size_t hung_up = 0;
    std::size_t accepted = 0;
    std::vector<ByteStreamPtr> mute;
    Scope scope;
  };
  using StatePtr = std::shared_ptr<State>;

  static asio::awaitable<void> accept_all(StatePtr state) {
    for (;;) {
      auto link = co_await state->listener->accept();
      if (!link) co_return;
      ++state->dialled;
      if (state->hung_up > 0) {
        --state->hung_up;
        continue;
      }
      if (state->links++ < state->answered) {
        state->scope.spawn(talk(state, *std::move(link)));
      } else {
        state->mute.push_back(*std::move(link));
      }
    }
  }

  static asio::awaitable<void> talk(StatePtr state, ByteStreamPtr link) {
    TransportOptions options = state->options;
    options.on_incoming = [state](std::unique_ptr<IncomingStream> incoming) {
      state->scope.spawn(answer(state, std::move(incoming)));
    };
    auto late = std::make_unique<LateStream>(std::move(link), DelayPtr(state, &state->delay));
    const auto connection =
        co_await TransportConnection::establish(std::move(late), std::move(options));
    if (!connection) co_return;
    ++state->accepted;
    const auto at = state->connections.insert(connection->get()).first;
    co_await (*connection)->wait_closed();
    state->connections.erase(at);
  }

  static asio::awaitable<void> answer(StatePtr state, std::unique_ptr<IncomingStream> incoming) {
    state->opened.push_back(incoming->service());
    const FakeService* found = by_prefix(state->services, incoming->service());
    if (found == nullptr) co_return;
    const FakeService service = *found;
    std::string name(incoming->service());
    [[maybe_unused]] const auto served = co_await service(incoming->accept(), std::move(name));
  }

  StatePtr state_;
};

}  // namespace adbproto::testing
