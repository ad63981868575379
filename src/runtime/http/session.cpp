#include "runtime/http/session.hpp"

#include <exception>

#include "adbproto/link/socket_stream.hpp"
#include "base/async/memory_budget.hpp"
#include "base/async/signal.hpp"
#include "runtime/http/request_reader.hpp"

namespace clawperator::http {
namespace {

using namespace base::parallel;

constexpr std::size_t kReadAtOnce = std::size_t{8} * 1024;
constexpr std::size_t kWriteAtOnce = std::size_t{64} * 1024;

// linger: the peer may still be sending; closing now would take the last answer from it.
enum class After { another_request, linger, close };

Response internal_error() {
  return error_response(500, "INTERNAL_SERVER_ERROR", "An unexpected error occurred");
}

// One coroutine reads the peer all the time, one piece ahead. So a wait needs no race of
// coroutines: the next piece, its limit or the server's end wakes it.
class Connection {
 public:
  Connection(const asio::any_io_executor& executor, ByteStreamPtr stream, const Limits* limits,
             StopSignal* stop)
      : stream_(std::move(stream)),
        limits_(limits),
        stop_(stop),
        arrived_(executor),
        taken_(executor) {}

  // Both run beside the connection's user and never end.
  asio::awaitable<void> keep_reading();
  asio::awaitable<void> await_stop();

  // Returns the next bytes; use them before anything else is awaited. `with_server`: fails once the
  // server stops.
  enum class Ends { in_time, with_server };
  Task<ByteView> next_piece(Clock::time_point end, Ends ends);
  asio::awaitable<void> read_to_end(Clock::time_point end, Ends ends = Ends::in_time);
  // The reader has write_time for each piece.
  Task<void> write(std::string_view bytes);
  // Gives the peer time to read the last response. Closing with unread bytes makes the system reset
  // the connection.
  asio::awaitable<void> linger();

  // By the system's state of the socket: our own reading may be a turn behind.
  [[nodiscard]] bool peer_has_ended() const {
    return size_ == 0 && (end_ || adbproto::peer_has_ended(stream_.get()));
  }
  void close() { stream_->close(); }

 private:
  ByteStreamPtr stream_;
  const Limits* limits_;
  StopSignal* stop_;
  Bytes input_ = Bytes(kReadAtOnce);
  std::size_t size_ = 0;  // of the piece that waits there
  std::optional<Error> end_{};
  Timer arrived_;  // a piece, or the end of either side
  Signal taken_;
};

asio::awaitable<void> Connection::keep_reading() {
  while (!end_) {
    const auto size = co_await stream_->read_some(input_);
    size_ = size.value_or(0);
    if (!size) end_ = size.error();
    arrived_.cancel();
    if (!co_await wait_until(&taken_, [this] { return size_ == 0; })) co_return;
  }
  co_await until_cancelled();
}

asio::awaitable<void> Connection::await_stop() {
  co_await stop_->wait();
  arrived_.cancel();
  if (stop_->is_requested()) co_await until_cancelled();
}

Task<ByteView> Connection::next_piece(Clock::time_point end, Ends ends) {
  while (size_ == 0) {
    if (end_) co_return std::unexpected(*end_);
    if (ends == Ends::with_server && stop_->is_requested())
      co_return fail(errc::closed, "the server stops");
    if (Clock::now() >= end) co_return fail(errc::deadline_exceeded, "the peer was too slow");
    arrived_.expires_at(end);
    co_await arrived_.async_wait(kNoThrow);
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) {
      co_return fail(errc::cancelled, "cancelled");
    }
  }
  taken_.notify_all();
  co_return ByteView(input_).first(std::exchange(size_, 0));
}

asio::awaitable<void> Connection::read_to_end(Clock::time_point end, Ends ends) {
  while (co_await next_piece(end, ends)) {
  }
}

Task<void> Connection::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, kWriteAtOnce);
    const auto rest = as_bytes(piece).subspan(write_at_once(stream_.get(), as_bytes(piece)));
    if (!rest.empty()) {
      CO_TRY_VOID(co_await with_deadline(stream_->write_all(rest), limits_->write_time,
                                         "writing an answer"));
    }
    bytes.remove_prefix(piece.size());
  }
  co_return ok();
}

asio::awaitable<void> Connection::linger() {
  finish_writing(stream_.get());
  co_await read_to_end(Clock::now() + limits_->linger);
}

// Whatever its writer makes of a failure, the connection is closed by it.
class ConnectionWriter final : public BodyWriter {
 public:
  explicit ConnectionWriter(Connection* connection) : connection_(connection) {}

  Task<void> write(std::string_view bytes) override {
    auto written = co_await connection_->write(bytes);
    if (!written) connection_->close();
    co_return written;
  }

 private:
  Connection* connection_;
};

class Session {
 public:
  Session(Connection* connection, Peer peer, const Handler* handler, const Limits* limits,
          StopSignal* stop)
      : connection_(connection),
        peer_(std::move(peer)),
        handler_(handler),
        limits_(limits),
        stop_(stop),
        reader_(*limits, &peer_) {
    peer_.is_gone = [connection] { return connection->peer_has_ended(); };
  }

  asio::awaitable<void> serve();

 private:
  asio::awaitable<After> serve_request();
  using Ends = Connection::Ends;

  Task<void> fill(Clock::time_point end, Ends ends);
  Result<Progress> look();
  Task<void> read_on(std::chrono::milliseconds limit, Ends ends);
  Task<void> read_head();
  Task<void> read_body();
  asio::awaitable<After> end(const Error* error);

  std::optional<Response> consult();
  asio::awaitable<Response> answer(Request request);
  asio::awaitable<After> send(const Response* response, bool may_go_on);
  asio::awaitable<void> send_stream(const Response* response);

  Connection* connection_;
  Peer peer_;
  const Handler* handler_;
  const Limits* limits_;
  StopSignal* stop_;
  RequestReader reader_;
  bool is_first_ = true;               // request of the connection
  std::optional<Response> refusal_{};  // of what the peer sent
  bool wants_body_ = true;             // HEAD does not
};

// An exception must not end the coroutines that run beside this one: a failure such as missing
// memory ends the connection here.
asio::awaitable<void> Session::serve() {
  try {
    auto after = After::another_request;
    while (after == After::another_request) after = co_await serve_request();
    if (after == After::linger) co_await connection_->linger();
  } catch (const std::exception&) {
    connection_->close();
  }
}

asio::awaitable<After> Session::serve_request() {
  wants_body_ = true;
  const auto head = co_await read_head();
  if (!head) co_return co_await end(&head.error());
  wants_body_ = reader_.head().method != "HEAD";
  if (auto response = consult()) co_return co_await send(&*response, false);
  const auto body = co_await read_body();
  if (!body) co_return co_await end(&body.error());
  const Response response = co_await answer(reader_.take());
  co_return co_await send(&response, reader_.keep_alive());
}

Task<void> Session::fill(Clock::time_point end, Ends ends) {
  CO_TRY(const ByteView piece, co_await connection_->next_piece(end, ends));
  reader_.feed(piece);
  co_return ok();
}

Result<Progress> Session::look() {
  auto progress = reader_.next();
  if (progress) return *progress;
  refusal_ = std::move(progress).error();
  return fail(errc::protocol, "the peer sent an invalid request");
}

// Waits until the reader has more bytes; the caller reads them.
Task<void> Session::read_on(std::chrono::milliseconds limit, Ends ends) {
  const auto end = Clock::now() + limit;
  for (;;) {
    CO_TRY(const Progress progress, look());
    if (progress != Progress::more) co_return ok();
    CO_TRY_VOID(co_await fill(end, ends));
  }
}

Task<void> Session::read_head() {
  if (stop_->is_requested()) co_return fail(errc::closed, "the server stops");
  const auto patience = std::exchange(is_first_, false) ? limits_->first_byte : limits_->idle;
  if (reader_.is_idle()) {
    CO_TRY_VOID(co_await fill(Clock::now() + patience, Ends::with_server));
  }
  co_return co_await read_on(limits_->header_time, Ends::with_server);
}

Task<void> Session::read_body() {
  CO_TRY(const Progress progress, look());
  if (progress != Progress::more) co_return ok();
  if (reader_.expects_continue()) {
    CO_TRY_VOID(co_await connection_->write("HTTP/1.1 100 Continue\r\n\r\n"));
  }
  co_return co_await read_on(limits_->body_time, Ends::in_time);
}

// A peer that has sent no part of a request, or has left, gets no response.
asio::awaitable<After> Session::end(const Error* error) {
  if (!refusal_ && error->code() == errc::deadline_exceeded && !reader_.is_idle()) {
    refusal_ = error_response(408, "REQUEST_TIMEOUT", "the request did not come in time");
  }
  if (!refusal_) co_return After::close;
  co_return co_await send(&*refusal_, false);
}

// Of the handler: an answer that needs no body, or how long the body may be.
std::optional<Response> Session::consult() {
  try {
    auto response = handler_->admit ? handler_->admit(reader_.head()) : std::nullopt;
    if (response) return response;
    reader_.limit_body(limits_->body);
    return std::nullopt;
  } catch (const std::exception&) {
    return internal_error();
  }
}

asio::awaitable<Response> Session::answer(Request request) {
  try {
    auto response = co_await handler_->answer(std::move(request));
    if (response) co_return *std::move(response);
  } catch (const std::exception&) {
    // A cancellation comes as an exception, too; the next await then ends the session.
    co_return internal_error();
  }
  co_return internal_error();
}

asio::awaitable<After> Session::send(const Response* response, bool may_go_on) {
  const bool goes_on = may_go_on && !response->stream && !stop_->is_requested();
  const std::string_view kept = reader_.is_http_1_0() ? "keep-alive" : "";
  std::string bytes = encode_head(*response, goes_on ? kept : "close");
  const bool has_body = wants_body_ && !response->stream && carries_body(*response);
  adbproto::MemoryShare memory(co_await asio::this_coro::executor);
  memory.count(response->body.size());
  // One segment where it fits; a large body is not copied.
  const bool in_one = has_body && response->body.size() <= kWriteAtOnce;
  if (in_one) bytes += response->body;
  if (!co_await connection_->write(bytes)) co_return After::close;
  if (has_body && !in_one && !co_await connection_->write(response->body)) co_return After::close;
  if (wants_body_ && response->stream) co_await send_stream(response);
  co_return goes_on ? After::another_request : After::linger;
}

asio::awaitable<void> write_stream(const Response* response, BodyWriter* writer) {
  try {
    [[maybe_unused]] const auto ended = co_await response->stream(writer);
  } catch (const std::exception&) {
    co_return;  // the connection closes, which is all that its reader can notice by now
  }
}

asio::awaitable<void> Session::send_stream(const Response* response) {
  ConnectionWriter writer(connection_);
  const auto ends = response->outlasts_stop ? Ends::in_time : Ends::with_server;
  co_await (write_stream(response, &writer) ||
            connection_->read_to_end(Clock::time_point::max(), ends));
}

asio::awaitable<void> write_last(Connection* connection, std::string bytes) {
  try {
    if (co_await connection->write(bytes)) co_await connection->linger();
  } catch (const std::exception&) {
    connection->close();
  }
}

}  // namespace

asio::awaitable<void> serve_connection(ByteStreamPtr stream, Peer peer, const Handler* handler,
                                       const Limits* limits, StopSignal* stop) {
  Connection connection(co_await asio::this_coro::executor, std::move(stream), limits, stop);
  Session session(&connection, std::move(peer), handler, limits, stop);
  co_await (session.serve() || connection.keep_reading() || connection.await_stop());
}

asio::awaitable<void> turn_away(ByteStreamPtr stream, const Limits* limits) {
  const auto executor = co_await asio::this_coro::executor;
  StopSignal never(executor);
  Connection connection(executor, std::move(stream), limits, &never);
  const Response response =
      error_response(503, "TOO_MANY_CONNECTIONS", "too many connections are open");
  co_await (write_last(&connection, encode_head(response, "close") + response.body) ||
            connection.keep_reading());
}

}  // namespace clawperator::http
