#include "runtime/http/server.hpp"

#include <map>

#include "base/async/scope.hpp"

namespace clawperator::http {
namespace {

// The system is out of descriptors, as a rule; some connection will end.
constexpr auto kAfterFailedAccept = std::chrono::milliseconds(100);

// So many connections at once are answered with 503; further ones are just closed.
constexpr std::size_t kTurnedAwayAtOnce = 32;

}  // namespace

struct Server::State {
  State(const asio::any_io_executor& executor, Handler is_requested, const Limits& bounds)
      : handler(std::move(is_requested)),
        limits(bounds),
        stop(executor),
        accepting(executor),
        connections(executor),
        turned_away(executor) {}

  Handler handler;
  Limits limits;
  StopSignal stop;
  Scope accepting;
  Scope connections;
  Scope turned_away;
  std::map<std::string, std::size_t> of_peers{};  // connections of those that have any
};

// A connection's place among those of its peer.
class Server::Place {
 public:
  Place(std::shared_ptr<State> state, std::string peer)
      : state_(std::move(state)), peer_(std::move(peer)) {
    ++state_->of_peers[peer_];
  }
  ~Place() {
    const auto at = state_->of_peers.find(peer_);
    if (--at->second == 0) state_->of_peers.erase(at);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::shared_ptr<State> state_;
  std::string peer_;
};

Server::Server(const asio::any_io_executor& executor, Handler handler, const Limits& limits)
    : state_(std::make_shared<State>(executor, std::move(handler), limits)) {}

void Server::listen(ListenerPtr listener) {
  state_->accepting.spawn(accept(state_, std::move(listener)));
}

std::size_t Server::connections() const { return state_->connections.size(); }

asio::awaitable<void> Server::stop(std::chrono::milliseconds patience) {
  const auto state = state_;
  state->stop.request();
  state->accepting.cancel();
  state->turned_away.cancel();
  [[maybe_unused]] const auto late =
      co_await run_within(state->connections.join(), patience, "the requests in flight");
  state->connections.cancel();
  co_await state->accepting.join();
  co_await state->turned_away.join();
  co_await state->connections.join();
}

asio::awaitable<void> Server::accept(std::shared_ptr<State> state, ListenerPtr listener) {
  for (;;) {
    auto stream = co_await listener->accept();
    if (state->stop.is_requested() || (!stream && stream.error().code() == errc::closed)) co_return;
    if (stream) {
      admit(state, *std::move(stream));
    } else {
      co_await sleep_for(kAfterFailedAccept);
    }
  }
}

bool Server::has_room(const State& state, const Peer& peer) {
  if (state.connections.size() >= state.limits.connections) return false;
  const auto found = state.of_peers.find(peer.name);
  return peer.name == kThisUser || found == state.of_peers.end() ||
         found->second < state.limits.connections_of_a_peer;
}

void Server::admit(const std::shared_ptr<State>& state, ByteStreamPtr stream) {
  Peer peer = peer_of(stream.get());
  if (has_room(*state, peer)) {
    auto place = std::make_unique<Place>(state, peer.name);
    state->connections.spawn(serve(std::move(place), state, std::move(stream), std::move(peer)));
  } else if (state->turned_away.size() < kTurnedAwayAtOnce) {
    state->turned_away.spawn(turn_away(state, std::move(stream)));
  }
}

asio::awaitable<void> Server::serve(std::unique_ptr<Place> /*held*/, std::shared_ptr<State> state,
                                    ByteStreamPtr stream, Peer peer) {
  co_await serve_connection(std::move(stream), std::move(peer), &state->handler, &state->limits,
                            &state->stop);
}

asio::awaitable<void> Server::turn_away(std::shared_ptr<State> state, ByteStreamPtr stream) {
  co_await http::turn_away(std::move(stream), &state->limits);
}

}  // namespace clawperator::http
