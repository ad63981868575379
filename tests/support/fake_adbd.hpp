#pragma once
// adbd on a loopback port, without authentication: the device role over TCP. A service whose name
// is known is answered with its bytes, every other one is refused.

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "support/run_task.hpp"

namespace adbproto::testing {

// What it reads comes late, by what `delay` is at that moment.
using DelayPtr = std::shared_ptr<const Clock::duration>;
class LateStream final : public ByteStream {
 public:
  LateStream(ByteStreamPtr inner, DelayPtr delay)
      : inner_(std::move(inner)), delay_(std::move(delay)) {}
  Task<std::size_t> read_some(std::span<std::byte> into) override {
    auto size = co_await inner_->read_some(into);
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

  FakeAdbd& answers(std::string service, std::string bytes) {
    state_->answers[std::move(service)] = std::move(bytes);
    return *this;
  }
  // Such a stream is opened and stays so; nothing is said on it.
  FakeAdbd& holds(std::string service) {
    state_->held.insert(std::move(service));
    return *this;
  }
  // What its banner says; "device" with shell_v2 and cmd if nothing else is said.
  FakeAdbd& is_in(std::string type) {
    state_->banner.type = std::move(type);
    return *this;
  }
  FakeAdbd& offers(std::string_view feature) {
    state_->banner.features.add(feature);
    return *this;
  }
  // Everybody, or (`key`) nobody: it knows no key, and no person is there.
  FakeAdbd& lets_in(Admission admission) {
    state_->admission = admission;
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
  // One link that exists already, such as the end of a memory pair.
  void attach(ByteStreamPtr link) { state_->scope.spawn(serve(state_, std::move(link))); }
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
    explicit State(const asio::any_io_executor& executor) : scope(executor) {}
    ListenerPtr listener;
    Banner banner{.type = "device", .features = {"shell_v2", "cmd"}};
    Admission admission = Admission::open;
    Clock::duration delay{};
    std::size_t answered = std::numeric_limits<std::size_t>::max();
    std::map<std::string, std::string> answers;
    std::set<std::string> held;
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
        state->scope.spawn(serve(state, *std::move(link)));
      } else {
        state->mute.push_back(*std::move(link));
      }
    }
  }

  static asio::awaitable<void> serve(StatePtr state, ByteStreamPtr link) {
    TransportOptions options;
    options.role = Role::device;
    options.banner = state->banner;
    options.trust.admission = state->admission;
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
    if (state->held.contains(incoming->service())) {
      const auto stream = incoming->accept();
      Bytes ignored(4096);
      while (co_await stream->read_some(ignored)) {
      }
      co_return;
    }
    const auto at = state->answers.find(incoming->service());
    if (at == state->answers.end()) co_return;
    const std::string bytes = at->second;
    const auto stream = incoming->accept();
    [[maybe_unused]] const auto written = co_await stream->write_all(as_bytes(bytes));
  }

  StatePtr state_;
};

}  // namespace adbproto::testing
