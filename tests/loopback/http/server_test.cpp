// The server over real sockets; what waits for time does so by hand, over listeners of the test.

#include "runtime/http/server.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <asio/ip/tcp.hpp>
#include <asio/write.hpp>

#include "loopback/http/session_bench.hpp"
#include "support/print_result.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace base::parallel;
using namespace clawperator::http;
using namespace clawperator::http::testing;

namespace {

// Until the server closes.
Task<std::string> ask(ByteStream* stream, std::string request) {
  CO_TRY_VOID(co_await stream->write_all(as_bytes(request)));
  co_return co_await read_to_end(stream);
}

Task<std::string> read_once(asio::ip::tcp::socket* socket) {
  std::string text(4096, '\0');
  const auto [error, size] = co_await socket->async_read_some(asio::buffer(text), kNoThrow);
  if (error) co_return fail(errc::io, error.message());
  text.resize(size);
  co_return text;
}

// The beginning of the answer.
Task<std::string> ask_for_status(ByteStream* stream) {
  const std::string request = get("/a");
  CO_TRY_VOID(co_await stream->write_all(as_bytes(request)));
  co_return co_await read_text(stream, std::string_view("HTTP/1.1 200").size());
}

std::string get_once(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
}

// Happens once; tasks wait for it.
class Event {
 public:
  explicit Event(Loop* loop) : changed_(loop->executor()) {}
  void happen() {
    has_happened_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool has_happened() const { return has_happened_; }
  Task<void> wait() {
    while (!has_happened_) co_await changed_.wait();
    co_return ok();
  }

 private:
  bool has_happened_ = false;
  Signal changed_;
};

struct Events {
  explicit Events(Loop* loop) : begun(loop), may_end(loop), ended(loop) {}
  Event begun;
  Event may_end;
  Event ended;
};

Task<Response> answer_on_event(Request request, Events* events) {
  events->begun.happen();
  CO_TRY_VOID(co_await events->may_end.wait());
  events->ended.happen();
  co_return echo(request);
}

class EndMark {
 public:
  explicit EndMark(Event* ended) : ended_(ended) {}
  ~EndMark() { ended_->happen(); }
  EndMark(const EndMark&) = delete;
  EndMark& operator=(const EndMark&) = delete;

 private:
  Event* ended_;
};

// Its task is over when `ended` has happened.
Task<void> stream_until_event(BodyWriter* writer, Events* events) {
  const EndMark mark(&events->ended);
  CO_TRY_VOID(co_await writer->write("begun"));
  events->begun.happen();
  co_return co_await events->may_end.wait();
}

Task<Response> answer_with_stream(Events* events) {
  Response response;
  response.stream = [events](BodyWriter* writer) { return stream_until_event(writer, events); };
  co_return response;
}

Task<void> send_both(ByteStream* stream, std::string head, Bytes body) {
  CO_TRY_VOID(co_await stream->write_all(as_bytes(head)));
  co_return co_await stream->write_all(body);
}

// A server on a port of the system's choice.
struct TcpBench {
  explicit TcpBench(Loop* on, Handler handler = {.answer = answer_echo})
      : loop(*on), server(on->executor(), std::move(handler)) {
    auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
    REQUIRE(listener);
    port = (*listener)->port();
    server.listen(*std::move(listener));
  }
  ~TcpBench() { REQUIRE(loop.run(as_task(server.stop(1min)))); }
  TcpBench(const TcpBench&) = delete;
  TcpBench& operator=(const TcpBench&) = delete;

  ByteStreamPtr connect() {
    auto stream = loop.run(connect_tcp("127.0.0.1", port));
    REQUIRE(stream);
    return *std::move(stream);
  }

  Loop& loop;
  Server server;
  std::uint16_t port = 0;
};

// Fails so many times, then gives the streams one by one, then waits.
class ScriptedListener final : public Listener {
 public:
  ScriptedListener(const asio::any_io_executor& executor, int failures,
                   std::vector<ByteStreamPtr> streams, int* asked)
      : failures_(failures), streams_(std::move(streams)), asked_(asked), never_(executor) {}

  Task<ByteStreamPtr> accept() override {
    ++*asked_;
    if (failures_-- > 0) co_return fail(errc::io, "cannot accept: Too many open files");
    if (streams_.empty()) co_await never_.wait();
    if (streams_.empty()) co_return fail(errc::closed, "listener closed");
    auto stream = std::move(streams_.front());
    streams_.erase(streams_.begin());
    co_return stream;
  }
  [[nodiscard]] std::uint16_t port() const override { return 0; }
  void close() override { never_.notify_all(); }

 private:
  int failures_;
  std::vector<ByteStreamPtr> streams_;
  int* asked_;
  Signal never_;
};

// Clients of a server whose listener hands out as many connections.
struct ClientsBench {
  explicit ClientsBench(std::size_t count, Limits limits = {}, int failures = 0)
      : server(loop.executor(), {.answer = answer_echo}, limits), heard(count) {
    std::vector<ByteStreamPtr> streams;
    for (std::size_t at = 0; at < count; ++at) {
      auto [ours, theirs] = make_memory_pair(loop.executor());
      streams.push_back(std::move(ours));
      clients.push_back(std::move(theirs));
      hearing.push_back(loop.start(hear(clients.back().get(), &heard[at])));
    }
    server.listen(
        std::make_unique<ScriptedListener>(loop.executor(), failures, std::move(streams), &asked));
    loop.settle();
  }
  ~ClientsBench() { REQUIRE(time.run(loop, as_task(server.stop(1min)))); }
  ClientsBench(const ClientsBench&) = delete;
  ClientsBench& operator=(const ClientsBench&) = delete;

  void say(std::size_t client, const std::string& text) {
    REQUIRE(loop.run(clients[client]->write_all(as_bytes(text))));
    loop.settle();
  }

  ManualTime time;
  Loop loop;
  Server server;
  int asked = 0;
  std::vector<std::string> heard;
  std::vector<ByteStreamPtr> clients;
  std::vector<std::shared_ptr<Started<void>>> hearing;
};

// The process may open this many descriptors, for as long as it lives.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(int count) {
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const rlimit lower{static_cast<rlim_t>(count), before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &lower) == 0);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

int lowest_free_descriptor() {
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  ::close(descriptor);
  return descriptor;
}

}  // namespace

TEST_CASE("http server: TCP and a unix socket at once, each with many clients", "[loopback]") {
  const TempFolder folder;
  Loop loop;
  TcpBench at(&loop);
  auto listener = listen_unix(at.loop.executor(), folder.file("socket"));
  REQUIRE(listener);
  at.server.listen(*std::move(listener));
  std::vector<ByteStreamPtr> streams;
  std::vector<std::shared_ptr<Started<std::string>>> answers;
  answers.reserve(40);
  for (int client = 0; client < 20; ++client) {
    auto unix_stream = at.loop.run(connect_unix(folder.file("socket")));
    REQUIRE(unix_stream);
    streams.push_back(*std::move(unix_stream));
    streams.push_back(at.connect());
  }
  for (const auto& stream : streams) {
    answers.push_back(at.loop.start(ask(stream.get(), get_once("/a"))));
  }
  for (const auto& answer : answers) {
    const auto text = at.loop.finish(answer);
    REQUIRE(text);
    CHECK(text->ends_with("\r\n\r\nGET /a []"));
  }
}

TEST_CASE("http server: a client that has ended its side still gets its answers", "[loopback]") {
  Loop loop;
  TcpBench at(&loop);
  const auto stream = at.connect();
  REQUIRE(at.loop.run(stream->write_all(as_bytes(get("/a") + get("/b")))));
  finish_writing(stream.get());
  const auto text = at.loop.run(read_to_end(stream.get()));
  REQUIRE(text);
  CHECK(statuses_in(*text) == std::vector{200, 200});
}

TEST_CASE("http server: an answer goes on to its end when the client resets the connection",
          "[loopback]") {
  Loop loop;
  Events events(&loop);
  TcpBench at(&loop, {.answer = [&events](Request request) {
    return answer_on_event(std::move(request), &events);
  }});
  asio::ip::tcp::socket client(loop.executor());
  client.connect({asio::ip::address_v4::loopback(), at.port});
  const std::string request = get("/a") + get("/never");
  asio::write(client, asio::buffer(request));
  REQUIRE(loop.run(events.begun.wait()));
  client.set_option(asio::socket_base::linger(true, 0));
  client.close();
  loop.settle();
  events.may_end.happen();
  REQUIRE(loop.run(events.ended.wait()));
  const auto other = at.connect();
  const auto answer = loop.run(ask(other.get(), get_once("/b")));
  REQUIRE(answer);
  CHECK(answer->ends_with("GET /b []"));
}

TEST_CASE("http server: a refusal reaches a client that is still sending", "[loopback]") {
  Loop loop;
  TcpBench at(&loop);
  const auto stream = at.connect();
  auto sending = loop.start(
      send_both(stream.get(), "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n",
                Bytes(3'000'000)));
  CHECK(loop.finish(sending));
  const auto text = loop.run(read_to_end(stream.get()));
  REQUIRE(text);
  CHECK(statuses_in(*text) == std::vector{413});
}

TEST_CASE("http server: a stream ends when its client goes away", "[loopback]") {
  Loop loop;
  Events events(&loop);
  TcpBench at(&loop, {.answer = [&events](const Request&) { return answer_with_stream(&events); }});
  const auto stream = at.connect();
  REQUIRE(loop.run(stream->write_all(as_bytes(get("/events")))));
  REQUIRE(loop.run(events.begun.wait()));
  loop.settle();
  CHECK_FALSE(events.ended.has_happened());
  stream->close();
  CHECK(loop.run(events.ended.wait()));
}

TEST_CASE("http server: a port in use is one clear error", "[loopback]") {
  Loop loop;
  TcpBench at(&loop);
  const auto second = listen_tcp(at.loop.executor(), "127.0.0.1", at.port);
  REQUIRE_FALSE(second);
  CHECK(second.error() == Error(errc::io, "cannot listen on 127.0.0.1:" + std::to_string(at.port) +
                                              ": Address already in use"));
}

TEST_CASE("http server: without descriptors it waits, and then goes on", "[loopback]") {
  Loop loop;
  TcpBench at(&loop);
  const auto other = at.connect();
  loop.settle();
  CHECK(at.server.connections() == 1);
  asio::ip::tcp::socket client(loop.executor(), asio::ip::tcp::v4());
  {
    // The system connects it, but there is no descriptor to accept it with.
    const DescriptorLimit limit(lowest_free_descriptor());
    client.connect({asio::ip::address_v4::loopback(), at.port});
    loop.settle();
    CHECK(at.server.connections() == 1);
  }
  const std::string request = get("/a");
  asio::write(client, asio::buffer(request));
  const auto answer = loop.run(read_once(&client));
  REQUIRE(answer);
  CHECK(answer->ends_with("GET /a []"));
}

TEST_CASE("http server: a listener that fails is tried again, ten times a second", "[loopback]") {
  ClientsBench at(1, {}, 50);
  CHECK(at.asked == 1);
  for (int tenth = 0; tenth < 49; ++tenth) at.time.advance(at.loop, 100ms);
  CHECK(at.asked == 50);
  CHECK(at.server.connections() == 0);
  at.time.advance(at.loop, 100ms);
  CHECK(at.server.connections() == 1);
  at.say(0, get("/a"));
  CHECK(statuses_in(at.heard[0]) == std::vector{200});
}

TEST_CASE("http server: beyond the limit clients are turned away, until one leaves", "[loopback]") {
  ClientsBench at(4, {.connections = 2});
  CHECK(at.server.connections() == 2);
  CHECK(at.heard[0].empty());
  CHECK(at.heard[1].empty());
  for (const std::size_t away : {2U, 3U}) {
    CHECK(statuses_in(at.heard[away]) == std::vector{503});
    CHECK(at.heard[away].find(R"("code":"TOO_MANY_CONNECTIONS")") != std::string::npos);
    CHECK(at.heard[away].find("\r\nConnection: close\r\n") != std::string::npos);
    CHECK_FALSE(at.hearing[away]->done());
  }
  at.time.advance(at.loop, 2s);
  CHECK(at.hearing[2]->done());
  at.say(1, get("/a"));
  CHECK(statuses_in(at.heard[1]) == std::vector{200});
  at.clients[0]->close();
  at.loop.settle();
  CHECK(at.server.connections() == 1);
}

TEST_CASE("http server: one peer has as many places as a peer may have, others have theirs",
          "[loopback]") {
  // Streams that are no sockets are all of one peer; this process is no other's.
  ClientsBench at(4, {.connections = 10, .connections_of_a_peer = 2});
  CHECK(at.server.connections() == 2);
  for (const std::size_t away : {2U, 3U}) CHECK(statuses_in(at.heard[away]) == std::vector{503});
  auto listener = listen_tcp(at.loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const std::uint16_t port = (*listener)->port();
  at.server.listen(*std::move(listener));
  std::vector<ByteStreamPtr> streams;
  for (int client = 0; client < 3; ++client) {
    auto stream = at.loop.run(connect_tcp("127.0.0.1", port));
    REQUIRE(stream);
    streams.push_back(*std::move(stream));
    const auto answer = at.loop.run(ask_for_status(streams.back().get()));
    REQUIRE(answer);
    CHECK(statuses_in(*answer) == std::vector{200});
  }
  at.clients[0]->close();
  at.loop.settle();
  CHECK(at.server.connections() == 4);
}

TEST_CASE("http server: a crowd of clients that are turned away costs a bounded number of places",
          "[loopback]") {
  ClientsBench at(100, {.connections = 1});
  std::size_t answered = 0;
  std::size_t closed = 0;
  for (std::size_t client = 1; client < 100; ++client) {
    answered += at.heard[client].empty() ? 0 : 1;
    closed += at.hearing[client]->done() ? 1 : 0;
  }
  CHECK(answered == 32);
  CHECK(closed == 99 - 32);
}

TEST_CASE("http server: stopping ends who waits at once and lets an answer go on", "[loopback]") {
  ClientsBench at(2);
  at.say(1, get("/slow"));
  auto stopping = at.loop.start(as_task(at.server.stop(1min)));
  at.loop.settle();
  CHECK(at.hearing[0]->done());
  CHECK_FALSE(stopping->done());
  at.time.advance(at.loop, 1s);
  CHECK(statuses_in(at.heard[1]) == std::vector{200});
  at.clients[1]->close();
  at.loop.settle();
  CHECK(stopping->done());
  CHECK(at.server.connections() == 0);
}

TEST_CASE("http server: what goes on beyond the patience is cancelled", "[loopback]") {
  ClientsBench at(1);
  at.say(0, get("/slow"));
  auto stopping = at.loop.start(as_task(at.server.stop(500ms)));
  at.time.advance(at.loop, 499ms);
  CHECK_FALSE(stopping->done());
  at.time.advance(at.loop, 1ms);
  CHECK(stopping->done());
  CHECK(at.server.connections() == 0);
  CHECK(at.heard[0].empty());
}

TEST_CASE("http server: what still runs when it goes without being stopped goes on", "[loopback]") {
  const ManualTime time;
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor());
  int asked = 0;
  {
    std::vector<ByteStreamPtr> streams;
    streams.push_back(std::move(ours));
    Server server(loop.executor(), {.answer = answer_echo});
    server.listen(
        std::make_unique<ScriptedListener>(loop.executor(), 0, std::move(streams), &asked));
    loop.settle();
  }
  const auto answer = loop.run(ask_for_status(theirs.get()));
  REQUIRE(answer);
  CHECK(statuses_in(*answer) == std::vector{200});
}
