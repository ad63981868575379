#include "runtime/http/session.hpp"

#include <exception>
#include <string>

#include "adbproto/link/memory_budget.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "runtime/http/request_reader.hpp"

namespace clawperator::http {
namespace {

using namespace adbproto::parallel;

constexpr std::size_t kReadAtOnce = std::size_t{8} * 1024;
constexpr std::size_t kWriteAtOnce = std::size_t{64} * 1024;

// linger: the peer may still be sending; closing now would take the last answer from it.
enum class After { another_request, linger, close };

Response internal_error() {
  return error_response(500, "INTERNAL_SERVER_ERROR", "An unexpected error occurred");
}

class Connection {
 public:
  Connection(ByteStreamPtr stream, const Limits* limits)
      : stream_(std::move(stream)), limits_(limits) {}

  Task<std::size_t> read_some() { return stream_->read_some(input_); }
  [[nodiscard]] ByteView input(std::size_t size) const { return ByteView(input_).first(size); }

  asio::awaitable<void> read_to_end() {
    while (co_await read_some()) {
    }
  }

  // The reader has write_time for each piece.
  Task<void> write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto piece = bytes.substr(0, kWriteAtOnce);
      CO_TRY_VOID(co_await with_deadline(stream_->write_all(as_bytes(piece)), limits_->write_time,
                                         "writing an answer"));
      bytes.remove_prefix(piece.size());
    }
    co_return ok();
  }

  // Lets the peer read what it was told before the system resets a connection of which we did not
  // read everything.
  asio::awaitable<void> linger() {
    finish_writing(stream_.get());
    [[maybe_unused]] const auto late = co_await run_within(read_to_end(), limits_->linger, "");
  }

  [[nodiscard]] bool peer_has_ended() const { return adbproto::peer_has_ended(stream_.get()); }
  void close() { stream_->close(); }

 private:
  ByteStreamPtr stream_;
  const Limits* limits_;
  Bytes input_ = Bytes(kReadAtOnce);
};

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
  Session(Connection* connection, const Handler* handler, const Limits* limits, StopSignal* stop)
      : connection_(connection),
        handler_(handler),
        limits_(limits),
        stop_(stop),
        reader_(*limits) {}

  asio::awaitable<After> serve_request();

 private:
  Task<void> fill();
  Result<Progress> look();
  Task<void> read_on();
  Task<void> unless_stopped(Task<void> task);
  Task<void> read_head();
  Task<void> read_body();
  asio::awaitable<After> end(const Error* error);

  std::optional<Response> consult();
  asio::awaitable<Response> answer(Request request);
  asio::awaitable<After> send(const Response* response, bool may_go_on);
  asio::awaitable<void> send_stream(const Response* response);

  Connection* connection_;
  const Handler* handler_;
  const Limits* limits_;
  StopSignal* stop_;
  RequestReader reader_;
  std::optional<Response> refusal_{};  // of what the peer sent
  bool wants_body_ = true;             // HEAD does not
};

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

Task<void> Session::fill() {
  CO_TRY(const std::size_t size, co_await connection_->read_some());
  reader_.feed(connection_->input(size));
  co_return ok();
}

Result<Progress> Session::look() {
  auto progress = reader_.next();
  if (progress) return *progress;
  refusal_ = std::move(progress).error();
  return fail(errc::protocol, "the peer sent what is refused");
}

// Until the reader has more to say, which it then says again.
Task<void> Session::read_on() {
  for (;;) {
    CO_TRY(const Progress progress, look());
    if (progress != Progress::more) co_return ok();
    CO_TRY_VOID(co_await fill());
  }
}

Task<void> Session::unless_stopped(Task<void> task) {
  auto winner = co_await (std::move(task) || stop_->wait());
  if (winner.index() == 1) co_return fail(errc::closed, "the server stops");
  co_return std::get<0>(std::move(winner));
}

Task<void> Session::read_head() {
  if (stop_->asked()) co_return fail(errc::closed, "the server stops");
  if (reader_.is_idle()) {
    CO_TRY_VOID(co_await with_deadline(unless_stopped(fill()), limits_->idle, "a request"));
  }
  // Most heads come in one piece and need no second deadline.
  CO_TRY(const Progress progress, look());
  if (progress != Progress::more) co_return ok();
  co_return co_await with_deadline(unless_stopped(read_on()), limits_->header_time, "a head");
}

Task<void> Session::read_body() {
  CO_TRY(const Progress progress, look());
  if (progress != Progress::more) co_return ok();
  if (reader_.expects_continue()) {
    CO_TRY_VOID(co_await connection_->write("HTTP/1.1 100 Continue\r\n\r\n"));
  }
  co_return co_await with_deadline(read_on(), limits_->body_time, "a body");
}

// Who sent nothing of a request, or left, is told nothing.
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
    const Request& head = reader_.head();
    auto response = handler_->admit ? handler_->admit(head) : std::nullopt;
    if (response) return response;
    reader_.limit_body(limits_->body);
    return std::nullopt;
  } catch (const std::exception&) {
    return internal_error();
  }
}

asio::awaitable<Response> Session::answer(Request request) {
  request.asker_is_gone = [connection = connection_] { return connection->peer_has_ended(); };
  try {
    auto response = co_await handler_->answer(std::move(request));
    if (response) co_return *std::move(response);
  } catch (const std::exception&) {
    // Being cancelled comes as an exception, too; what is awaited next ends the session then.
    co_return internal_error();
  }
  co_return internal_error();
}

asio::awaitable<After> Session::send(const Response* response, bool may_go_on) {
  const bool goes_on = may_go_on && !response->stream && !stop_->asked();
  const std::string_view kept = reader_.is_http_1_0() ? "keep-alive" : "";
  std::string bytes = encode_head(*response, goes_on ? kept : "close");
  const bool has_body = wants_body_ && !response->stream && carries_body(*response);
  adbproto::MemoryShare memory(co_await asio::this_coro::executor);
  memory.count(response->body.size());
  // One segment where it fits; what is large is not copied.
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
    co_return;  // the connection closes, which is all that its reader can be told by now
  }
}

asio::awaitable<void> Session::send_stream(const Response* response) {
  ConnectionWriter writer(connection_);
  if (response->outlasts_stop) {
    co_await (write_stream(response, &writer) || connection_->read_to_end());
  } else {
    co_await (write_stream(response, &writer) || connection_->read_to_end() || stop_->wait());
  }
}

}  // namespace

asio::awaitable<void> serve_connection(ByteStreamPtr stream, const Handler* handler,
                                       const Limits* limits, StopSignal* stop) {
  Connection connection(std::move(stream), limits);
  Session session(&connection, handler, limits, stop);
  auto after = After::another_request;
  while (after == After::another_request) after = co_await session.serve_request();
  if (after == After::linger) co_await connection.linger();
}

asio::awaitable<void> turn_away(ByteStreamPtr stream, const Limits* limits) {
  Connection connection(std::move(stream), limits);
  const Response response =
      error_response(503, "TOO_MANY_CONNECTIONS", "too many connections are open");
  const std::string bytes = encode_head(response, "close") + response.body;
  if (co_await connection.write(bytes)) co_await connection.linger();
}

}  // namespace clawperator::http
