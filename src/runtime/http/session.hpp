#pragma once
// One connection, from its first request to its last: HTTP/1.1 with keep-alive and pipelining,
// answered in order, one request at a time.

#include <asio/any_io_executor.hpp>

#include "base/async/byte_stream.hpp"
#include "base/async/signal.hpp"
#include "runtime/http/limits.hpp"
#include "runtime/http/peer.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

// The functions that connections call: answer once per request, admit when its head is there.
struct Handler {
  // An error and an exception become INTERNAL_SERVER_ERROR. Once begun it goes on to its end, also
  // when the peer has left.
  std::function<Task<Response>(Request)> answer;
  // An answer given here is sent without reading the body; then the connection closes.
  std::function<std::optional<Response>(const Request& head)> admit{};
};

// Ends connections: waiting ones and streams at once, others after their current response.
class StopSignal {
 public:
  explicit StopSignal(const asio::any_io_executor& executor) : changed_(executor) {}

  void request() {
    requested_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool is_requested() const { return requested_; }
  asio::awaitable<void> wait() {
    co_await wait_until(&changed_, [this] { return requested_; });
  }

 private:
  bool requested_ = false;
  Signal changed_;
};

// Ends when the connection does; its arguments must live until then. `peer` is the other end of
// `stream`.
asio::awaitable<void> serve_connection(ByteStreamPtr stream, Peer peer, const Handler* handler,
                                       const Limits* limits, StopSignal* stop);

// Sends 503 for any request and closes.
asio::awaitable<void> turn_away(ByteStreamPtr stream, const Limits* limits);

}  // namespace clawperator::http
