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
using namespace adbproto::parallel;
using namespace clawperator::http;
using namespace clawperator::http::testing;

namespace {

// Until the server closes.
Task<std::string> ask(ByteStream* stream, std::string request) {
  CO_TRY_VOID(co_await stream->write_all(as_bytes(request)));
  co_return co_await read_to_end(stream);
}

std::string get_once(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
}

// A server on a port of the system's choice.
struct TcpBench {
  explicit TcpBench(Handler handler = {.answer = answer_echo}, Limits limits = {})
      : server(loop.executor(), std::move(handler), limits) {
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

  Loop loop;
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
  TcpBench at;
  auto listener = listen_unix(at.loop.executor(), folder.file("socket"));
  REQUIRE(listener);
  at.server.listen(*std::move(listener));
  std::vector<ByteStreamPtr> streams;
  std::vector<std::shared_ptr<Started<std::string>>> answers;
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
  TcpBench at;
  const auto stream = at.connect();
  REQUIRE(at.loop.run(stream->write_all(as_bytes(get("/a") + get("/b")))));
  finish_writing(stream.get());
  const auto text = at.loop.run(read_to_end(stream.get()));
  REQUIRE(text);
  CHECK(statuses_in(*text) == std::vector{200, 200});
}

TEST_CASE("http server: an answer goes on to its end when the client resets the connection",
          "[loopback]") {
  bool has_begun = false;
  bool may_end = false;
  bool has_ended = false;
  Loop* the_loop = nullptr;
  std::unique_ptr<Signal> changed;
  TcpBench at({.answer = [&](Request request) -> Task<Response> {
    has_begun = true;
    changed->notify_all();
    while (!may_end) co_await changed->wait();
    has_ended = true;
    changed->notify_all();
    co_return echo(request);
  }});
  the_loop = &at.loop;
  changed = std::make_unique<Signal>(the_loop->executor());
  const auto until = [&changed](const bool* holds) -> Task<void> {
    while (!*holds) co_await changed->wait();
    co_return ok();
  };
  asio::ip::tcp::socket client(at.loop.executor());
  client.connect({asio::ip::address_v4::loopback(), at.port});
  const std::string request = get("/a") + get("/never");
  asio::write(client, asio::buffer(request));
  REQUIRE(at.loop.run(until(&has_begun)));
  client.set_option(asio::socket_base::linger(true, 0));
  client.close();
  may_end = true;
  changed->notify_all();
  REQUIRE(at.loop.run(until(&has_ended)));
  const auto other = at.connect();
  const auto answer = at.loop.run(ask(other.get(), get_once("/b")));
  REQUIRE(answer);
  CHECK(answer->ends_with("GET /b []"));
}

TEST_CASE("http server: a refusal reaches a client that is still sending", "[loopback]") {
  TcpBench at;
  const auto stream = at.connect();
  const Bytes body(3'000'000);
  const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n";
  const auto send = [&]() -> Task<void> {
    CO_TRY_VOID(co_await stream->write_all(as_bytes(head)));
    co_return co_await stream->write_all(body);
  };
  auto sending = at.loop.start(send());
  auto reading = at.loop.start(read_to_end(stream.get()));
  CHECK(at.loop.finish(sending));
  const auto text = at.loop.finish(reading);
  REQUIRE(text);
  CHECK(statuses_in(*text) == std::vector{413});
}

TEST_CASE("http server: a stream ends when its client goes away", "[loopback]") {
  bool is_gone = false;
  std::unique_ptr<Signal> changed;
  struct Mark {
    ~Mark() {
      *is_gone = true;
      changed->notify_all();
    }
    bool* is_gone;
    Signal* changed;
  };
  const auto wait = [&](BodyWriter* writer) -> Task<void> {
    const Mark mark{&is_gone, changed.get()};
    CO_TRY_VOID(co_await writer->write("begun"));
    for (;;) co_await changed->wait();
  };
  TcpBench at({.answer = [&](Request) -> Task<Response> {
    Response response;
    response.stream = wait;
    co_return response;
  }});
  changed = std::make_unique<Signal>(at.loop.executor());
  auto stream = at.connect();
  REQUIRE(at.loop.run(stream->write_all(as_bytes(get("/events")))));
  std::string heard;
  const auto until_begun = [&]() -> Task<void> {
    while (!heard.ends_with("begun")) {
      CO_TRY(const Bytes byte, co_await read_exactly(stream.get(), 1));
      heard += as_text(byte);
    }
    co_return ok();
  };
  REQUIRE(at.loop.run(until_begun()));
  CHECK_FALSE(is_gone);
  stream->close();
  const auto until_gone = [&]() -> Task<void> {
    while (!is_gone) co_await changed->wait();
    co_return ok();
  };
  CHECK(at.loop.run(until_gone()));
}

TEST_CASE("http server: a port in use is one clear error", "[loopback]") {
  TcpBench at;
  const auto second = listen_tcp(at.loop.executor(), "127.0.0.1", at.port);
  REQUIRE_FALSE(second);
  CHECK(second.error() == Error(errc::io, "cannot listen on 127.0.0.1:" + std::to_string(at.port) +
                                              ": Address already in use"));
}

TEST_CASE("http server: without descriptors it waits, and then goes on", "[loopback]") {
  TcpBench at;
  const auto first = at.connect();
  const auto second = at.connect();
  at.loop.settle();
  auto third = at.connect();
  {
    // The third is connected by the system, but there is no descriptor to accept it with.
    const DescriptorLimit limit(lowest_free_descriptor());
    at.loop.settle();
    CHECK(at.server.connections() == 2);
  }
  const auto answer = at.loop.run(ask(third.get(), get_once("/a")));
  REQUIRE(answer);
  CHECK(answer->ends_with("GET /a []"));
}

TEST_CASE("http server: a listener that fails is asked again, ten times a second", "[loopback]") {
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

TEST_CASE("http server: a crowd of clients that are turned away costs a bounded number of places",
          "[loopback]") {
  ClientsBench at(100, {.connections = 1});
  std::size_t told = 0;
  std::size_t closed = 0;
  for (std::size_t client = 1; client < 100; ++client) {
    told += at.heard[client].empty() ? 0 : 1;
    closed += at.hearing[client]->done() ? 1 : 0;
  }
  CHECK(told == 32);
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
