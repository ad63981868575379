#pragma once
// adbd on a loopback port, without authentication: the device role over TCP. A service whose name
// is known is answered with its bytes, every other one is refused.

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/link/scope.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "support/run_task.hpp"

namespace adbproto::testing {

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
    std::map<std::string, std::string> answers;
    std::set<TransportConnection*> connections;
    std::size_t accepted = 0;
    Scope scope;
  };
  using StatePtr = std::shared_ptr<State>;

  static asio::awaitable<void> accept_all(StatePtr state) {
    for (;;) {
      auto link = co_await state->listener->accept();
      if (!link) co_return;
      state->scope.spawn(serve(state, *std::move(link)));
    }
  }

  static asio::awaitable<void> serve(StatePtr state, ByteStreamPtr link) {
    TransportOptions options;
    options.role = Role::device;
    options.banner.type = "device";
    options.banner.features = {"shell_v2", "cmd"};
    options.on_incoming = [state](std::unique_ptr<IncomingStream> incoming) {
      state->scope.spawn(answer(state, std::move(incoming)));
    };
    const auto connection =
        co_await TransportConnection::establish(std::move(link), std::move(options));
    if (!connection) co_return;
    ++state->accepted;
    const auto at = state->connections.insert(connection->get()).first;
    co_await (*connection)->wait_closed();
    state->connections.erase(at);
  }

  static asio::awaitable<void> answer(StatePtr state, std::unique_ptr<IncomingStream> incoming) {
    const auto at = state->answers.find(incoming->service());
    if (at == state->answers.end()) co_return;
    const std::string bytes = at->second;
    const auto stream = incoming->accept();
    [[maybe_unused]] const auto written = co_await stream->write_all(as_bytes(bytes));
  }

  StatePtr state_;
};

}  // namespace adbproto::testing
