#pragma once
// A TCP proxy whose cable can be cut: at once, or after so many more bytes in either direction.
// Between cuts it is transparent.

#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "support/run_task.hpp"

namespace adbproto::testing {

class CuttingProxy {
 public:
  CuttingProxy(Loop& loop, std::uint16_t target)
      : state_(std::make_shared<State>(loop.executor())) {
    auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
    if (!listener) throw std::runtime_error(listener.error().message());
    state_->listener = *std::move(listener);
    state_->target = target;
    state_->scope.spawn(accept_all(state_));
  }
  ~CuttingProxy() {
    state_->listener->close();
    cut();
    state_->scope.cancel();
  }
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  [[nodiscard]] std::string address() const {
    return "127.0.0.1:" + std::to_string(state_->listener->port());
  }
  void cut_after(std::size_t bytes) { state_->left = bytes; }
  void cut() { cut(*state_); }
  [[nodiscard]] std::size_t cuts() const { return state_->cuts; }
  [[nodiscard]] std::size_t links() const { return state_->ends.size() / 2; }

 private:
  static constexpr std::size_t kForever = std::numeric_limits<std::size_t>::max();
  struct State {
    explicit State(const asio::any_io_executor& executor) : scope(executor) {}
    ListenerPtr listener;
    std::uint16_t target = 0;
    std::set<ByteStream*> ends;
    std::size_t left = kForever;
    std::size_t cuts = 0;
    Scope scope;
  };
  using StatePtr = std::shared_ptr<State>;
  using Shared = std::shared_ptr<ByteStream>;

  static void cut(State& state) {
    state.left = kForever;
    if (!state.ends.empty()) ++state.cuts;
    for (ByteStream* end : state.ends) end->close();
  }

  static asio::awaitable<void> accept_all(StatePtr state) {
    for (;;) {
      auto near = co_await state->listener->accept();
      if (!near) co_return;
      auto far = co_await connect_tcp("127.0.0.1", state->target);
      if (!far) continue;
      const Shared one = *std::move(near);
      const Shared other = *std::move(far);
      state->ends.insert({one.get(), other.get()});
      state->scope.spawn(pump(state, one, other));
      state->scope.spawn(pump(state, other, one));
    }
  }

  // Ends with either side; the other direction then ends, too.
  static asio::awaitable<void> pump(StatePtr state, Shared from, Shared to) {
    Bytes buffer(16 * 1024);
    for (;;) {
      const auto size = co_await from->read_some(buffer);
      if (!size) break;
      const std::size_t part = std::min(*size, state->left);
      const auto written = co_await to->write_all(ByteView(buffer).first(part));
      if (!written) break;
      if (state->left == kForever) continue;
      state->left -= std::min(part, state->left);
      if (state->left == 0) cut(*state);
    }
    from->close();
    to->close();
    state->ends.erase(from.get());
  }

  StatePtr state_;
};

}  // namespace adbproto::testing
