#pragma once
// Accepts connections and gives each a coroutine of its own.

#include <asio/any_io_executor.hpp>

#include "adbproto/link/socket_stream.hpp"
#include "runtime/http/session.hpp"

namespace clawperator::http {

// stop() comes before it goes: what still runs goes on without it.
class Server {
 public:
  Server(const asio::any_io_executor& executor, Handler handler, const Limits& limits = {});

  // Any number of times: TCP, a unix socket.
  void listen(ListenerPtr listener);

  // Accepts no further connection and lets the requests in flight end; after `patience` it cancels
  // the rest. Waiting connections and streams end at once. A handler must not await it, because it
  // would wait for itself.
  asio::awaitable<void> stop(std::chrono::milliseconds patience);

  [[nodiscard]] std::size_t connections() const;

 private:
  struct State;
  class Place;
  static asio::awaitable<void> accept(std::shared_ptr<State> state, ListenerPtr listener);
  static bool has_room(const State& state, const Peer& peer);
  static asio::awaitable<void> serve(std::unique_ptr<Place> place, std::shared_ptr<State> state,
                                     ByteStreamPtr stream, Peer peer);
  static asio::awaitable<void> turn_away(std::shared_ptr<State> state, ByteStreamPtr stream);
  static void admit(const std::shared_ptr<State>& state, ByteStreamPtr stream);

  std::shared_ptr<State> state_;
};

}  // namespace clawperator::http
