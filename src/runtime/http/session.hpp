#pragma once
// One connection, from its first request to its last: HTTP/1.1 with keep-alive and pipelining,
// answered in order, one request at a time.

#include <asio/any_io_executor.hpp>

#include "base/async/byte_stream.hpp"
#include "base/async/signal.hpp"
#include "runtime/http/asker.hpp"
#include "runtime/http/limits.hpp"
#include "runtime/http/request.hpp"
#include "runtime/http/response.hpp"

namespace clawperator::http {

// What connections ask; answer once per request, admit when its head is there.
struct Handler {
  // An error and an exception become INTERNAL_SERVER_ERROR. Once begun it goes on to its end, also
  // when the peer has left.
  std::function<Task<Response>(Request)> answer;
  // An answer given here is sent without reading the body; then the connection closes.
  std::function<std::optional<Response>(const Request& head)> admit{};
};

// Tells connections that they shall end: waiting ones at once, streams at once, others after the
// answer that they are at.
class StopSignal {
 public:
  explicit StopSignal(const asio::any_io_executor& executor) : asked_for_(executor) {}

  void ask() {
    asked_ = true;
    asked_for_.notify_all();
  }
  [[nodiscard]] bool asked() const { return asked_; }
  asio::awaitable<void> wait() {
    co_await wait_until(&asked_for_, [this] { return asked_; });
  }

 private:
  bool asked_ = false;
  Signal asked_for_;
};

// Ends when the connection does; all that it is given must live until then. `asker` is who is at
// the other end of `stream`.
asio::awaitable<void> serve_connection(ByteStreamPtr stream, Asker asker, const Handler* handler,
                                       const Limits* limits, StopSignal* stop);

// Says 503, whatever is asked, and closes.
asio::awaitable<void> turn_away(ByteStreamPtr stream, const Limits* limits);

}  // namespace clawperator::http
