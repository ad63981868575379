#pragma once
// An adb server on a loopback port (or a unix socket) whose replies are written down: per request
// the raw bytes that follow it. One connection at a time serves requests in order, as the real one
// does, until a reply says otherwise.
//
//   FakeServer server(loop);
//   server.answers("host:version", "OKAY00040029");
//   ServerClient client(server.address());

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "adbproto/client/server_address.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "support/run_task.hpp"
#include "support/server_frames.hpp"

namespace adbproto::testing {

enum class After {
  closes,     // as a host service does
  listens,    // as a transport switch does
  is_silent,  // keeps the connection and says no more
};

struct ServerReply {
  std::string bytes;
  After after = After::closes;
};

class FakeServer {
 public:
  explicit FakeServer(Loop& loop) : FakeServer(loop, {}) {}
  // At a unix socket when `path` is not empty.
  FakeServer(Loop& loop, const std::string& path)
      : state_(std::make_shared<State>(loop.executor())) {
    auto listener = path.empty() ? listen_tcp(loop.executor(), "127.0.0.1", 0)
                                 : listen_unix(loop.executor(), path);
    if (!listener) throw std::runtime_error(listener.error().message());
    state_->listener = *std::move(listener);
    address_.path = path;
    address_.port = state_->listener->port();
    state_->scope.spawn(accept_all(state_));
  }
  ~FakeServer() { stop(); }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  FakeServer& answers(std::string service, std::string bytes, After after = After::closes) {
    state_->replies[std::move(service)] = {std::move(bytes), after};
    return *this;
  }
  // No reply is longer than `bytes`; then the connection ends.
  void cut_replies_at(std::size_t bytes) { state_->cut_at = bytes; }
  // At most so many bytes of a reply with each write.
  void write_in_pieces_of(std::size_t bytes) { state_->piece = bytes; }

  [[nodiscard]] const ServerAddress& address() const { return address_; }
  [[nodiscard]] std::string spec() const { return address_.to_string(); }
  [[nodiscard]] const std::vector<std::string>& requests() const { return state_->requests; }
  void forget_requests() { state_->requests = {}; }

  // More bytes on every connection that waits in silence after that request.
  void pushes(const std::string& service, std::string bytes) {
    for (const auto& [name, stream] : state_->silent) {
      if (name == service) state_->scope.spawn(push(stream, bytes));
    }
  }

  // Closes the listening socket; existing connections end.
  void stop() {
    state_->listener->close();
    state_->scope.cancel();
  }
  // At the same address.
  void start_again() {
    auto listener = listen_tcp(state_->executor, "127.0.0.1", address_.port);
    if (!listener) throw std::runtime_error(listener.error().message());
    state_->listener = *std::move(listener);
    state_->scope.spawn(accept_all(state_));
  }

  static std::string text(std::string_view body) {
    return "OKAY" + std::string(as_text(encode_block(body)));
  }
  static std::string refusal(std::string_view why) {
    return std::string(as_text(encode_fail(why)));
  }

 private:
  struct State {
    explicit State(const asio::any_io_executor& on) : executor(on), scope(on) {}
    asio::any_io_executor executor;
    ListenerPtr listener;
    std::multimap<std::string, ByteStream*> silent;  // by the last request
    std::map<std::string, ServerReply> replies;
    std::vector<std::string> requests;
    std::size_t cut_at = std::numeric_limits<std::size_t>::max();
    std::size_t piece = std::numeric_limits<std::size_t>::max();
    Scope scope;
  };
  using StatePtr = std::shared_ptr<State>;

  class Silence {
   public:
    Silence(StatePtr state, const std::string& service, ByteStream* stream)
        : state_(std::move(state)), at_(state_->silent.emplace(service, stream)) {}
    ~Silence() { state_->silent.erase(at_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    StatePtr state_;
    std::multimap<std::string, ByteStream*>::iterator at_;
  };

  static asio::awaitable<void> push(ByteStream* stream, std::string bytes) {
    [[maybe_unused]] const auto written = co_await stream->write_all(as_bytes(bytes));
  }

  static asio::awaitable<void> accept_all(StatePtr state) {
    for (;;) {
      auto stream = co_await state->listener->accept();
      if (!stream) co_return;
      state->scope.spawn(serve(state, *std::move(stream)));
    }
  }

  static asio::awaitable<void> serve(StatePtr state, ByteStreamPtr stream) {
    for (;;) {
      const auto service = co_await read_request(stream.get());
      if (!service) co_return;
      state->requests.push_back(*service);
      const auto at = state->replies.find(*service);
      const ServerReply reply = at == state->replies.end()
                                    ? ServerReply{refusal("unknown host service"), After::closes}
                                    : at->second;
      if (!co_await write_reply(state.get(), stream.get(), reply.bytes)) co_return;
      if (reply.after == After::closes) co_return;
      if (reply.after != After::is_silent) continue;
      const Silence silence(state, *service, stream.get());
      co_return co_await swallow(stream.get());
    }
  }

  static Task<std::string> read_request(ByteStream* stream) {
    ServerRequestReader reader;
    Bytes buffer(4096);
    for (;;) {
      CO_TRY(auto request, reader.next());
      if (request) co_return *std::move(request);
      CO_TRY(const std::size_t size, co_await stream->read_some(buffer));
      reader.feed(ByteView(buffer).first(size));
    }
  }

  // False when the connection is to end.
  static asio::awaitable<bool> write_reply(State* state, ByteStream* stream, std::string reply) {
    ByteView left = as_bytes(reply).first(std::min(reply.size(), state->cut_at));
    const bool whole = left.size() == reply.size();
    while (!left.empty()) {
      const ByteView part = left.first(std::min(left.size(), state->piece));
      if (!co_await stream->write_all(part)) co_return false;
      left = left.subspan(part.size());
    }
    co_return whole;
  }

  static asio::awaitable<void> swallow(ByteStream* stream) {
    Bytes buffer(4096);
    while (co_await stream->read_some(buffer)) {
    }
  }

  StatePtr state_;
  ServerAddress address_;
};

}  // namespace adbproto::testing
