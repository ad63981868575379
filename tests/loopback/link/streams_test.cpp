// Memory and socket streams keep the same promises; what only sockets have stands below.

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "adbproto/link/socket_stream.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace base::parallel;

namespace {

struct StreamPair {
  ByteStreamPtr ours;
  ByteStreamPtr theirs;
};

Task<StreamPair> join(Listener* listener, Task<ByteStreamPtr> connecting) {
  auto [theirs, ours] = co_await (listener->accept() && std::move(connecting));
  if (!theirs) co_return std::unexpected(theirs.error());
  if (!ours) co_return std::unexpected(ours.error());
  co_return StreamPair{*std::move(ours), *std::move(theirs)};
}

StreamPair make_pair_of(const std::string& kind, Loop& loop, const TempFolder& folder) {
  if (kind == "memory") {
    auto [ours, theirs] = make_memory_pair(loop.executor(), 1000);
    return {std::move(ours), std::move(theirs)};
  }
  if (kind == "tcp") {
    auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
    REQUIRE(listener);
    const auto port = (*listener)->port();
    REQUIRE(port != 0);
    auto pair = loop.run(join(listener->get(), connect_tcp("localhost", port)));
    REQUIRE(pair);
    return *std::move(pair);
  }
  const std::string path = folder.file("socket");
  auto listener = listen_unix(loop.executor(), path);
  REQUIRE(listener);
  CHECK((*listener)->port() == 0);
  auto pair = loop.run(join(listener->get(), connect_unix(path)));
  REQUIRE(pair);
  return *std::move(pair);
}

Task<bool> both_ways(ByteStream* ours, ByteStream* theirs) {
  const Bytes there = noise(3'000'000, 1);
  const Bytes back = noise(2'000'000, 2);
  auto [sent, sent_back, got, got_back] =
      co_await (ours->write_all(there) && theirs->write_all(back) &&
                read_exactly(theirs, there.size()) && read_exactly(ours, back.size()));
  co_return sent&& sent_back&& got == there&& got_back == back;
}

}  // namespace

TEST_CASE("stream: bytes arrive in order, both ways at once", "[loopback]") {
  const std::string kind = GENERATE("memory", "tcp", "unix");
  INFO(kind);
  const TempFolder folder;
  Loop loop;
  StreamPair pair = make_pair_of(kind, loop, folder);
  CHECK(loop.run(both_ways(pair.ours.get(), pair.theirs.get())) == true);
}

TEST_CASE("stream: closing one end ends the other after what was sent", "[loopback]") {
  const std::string kind = GENERATE("memory", "tcp", "unix");
  INFO(kind);
  const TempFolder folder;
  Loop loop;
  StreamPair pair = make_pair_of(kind, loop, folder);
  REQUIRE(loop.run(pair.ours->write_all(as_bytes("last words"))));
  pair.ours->close();
  pair.ours->close();
  CHECK(loop.run(read_to_end(pair.theirs.get())) == "last words");
}

TEST_CASE("stream: closing it ends its own pending read and later writes", "[loopback]") {
  const std::string kind = GENERATE("memory", "tcp", "unix");
  INFO(kind);
  const TempFolder folder;
  Loop loop;
  StreamPair pair = make_pair_of(kind, loop, folder);
  Bytes buffer(8);
  auto read = loop.start(pair.ours->read_some(buffer));
  loop.settle();
  CHECK_FALSE(read->done());
  pair.ours->close();
  const auto end = loop.finish(read);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::closed);
  const auto write = loop.run(pair.ours->write_all(as_bytes("x")));
  REQUIRE_FALSE(write);
  CHECK(write.error().code() == errc::closed);
}

TEST_CASE("stream: a destroyed end is a closed one", "[loopback]") {
  const std::string kind = GENERATE("memory", "tcp", "unix");
  INFO(kind);
  const TempFolder folder;
  Loop loop;
  StreamPair pair = make_pair_of(kind, loop, folder);
  pair.theirs.reset();
  CHECK(loop.run(read_to_end(pair.ours.get())) == "");
}

TEST_CASE("stream: it reports how far a write got that the peer does not read", "[loopback]") {
  const std::string kind = GENERATE("memory", "tcp");
  INFO(kind);
  const TempFolder folder;
  Loop loop;
  StreamPair pair = make_pair_of(kind, loop, folder);
  CHECK(pair.ours->sent() == 0);
  const Bytes bytes(30'000'000);  // more than a system keeps
  auto write = loop.start(pair.ours->write_all(bytes));
  loop.settle();
  CHECK_FALSE(write->done());
  const auto before = pair.ours->sent();
  CHECK(before > 0);
  CHECK(before < bytes.size());
  REQUIRE(loop.run(read_exactly(pair.theirs.get(), bytes.size())));
  CHECK(loop.finish(write));
  CHECK(pair.ours->sent() > before);
}

TEST_CASE("memory: a writer waits while the reader is behind", "[loopback]") {
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor(), 10);
  const Bytes bytes = noise(25);
  auto write = loop.start(ours->write_all(bytes));
  loop.settle();
  CHECK_FALSE(write->done());
  CHECK(loop.run(read_exactly(theirs.get(), 14)) == Bytes(bytes.begin(), bytes.begin() + 14));
  loop.settle();
  CHECK_FALSE(write->done());
  CHECK(loop.run(read_exactly(theirs.get(), 1)) == Bytes(bytes.begin() + 14, bytes.begin() + 15));
  CHECK(loop.finish(write));
}

TEST_CASE("memory: a waiting writer ends when the reader goes away", "[loopback]") {
  Loop loop;
  auto [ours, theirs] = make_memory_pair(loop.executor(), 10);
  const Bytes bytes = noise(25);
  auto write = loop.start(ours->write_all(bytes));
  loop.settle();
  theirs.reset();
  const auto end = loop.finish(write);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::closed);
}

namespace {

// The one socket of this process that is connected to `port`.
int socket_to(std::uint16_t port) {
  int found = -1;
  for (int fd = 3; fd < 256; ++fd) {
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family != AF_INET || ntohs(peer.sin_port) != port) continue;
    REQUIRE(found == -1);
    found = fd;
  }
  return found;
}

int option_of(int fd, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  REQUIRE(::getsockopt(fd, level, name, &value, &size) == 0);
  return value;
}

}  // namespace

TEST_CASE("socket: a peer may pause reading for as long as it likes, unless it is adbd") {
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const auto port = (*listener)->port();
  const auto plain = loop.run(connect_tcp("127.0.0.1", port));
  REQUIRE(plain);
  CHECK(option_of(socket_to(port), IPPROTO_TCP, TCP_USER_TIMEOUT) == 0);
  (*plain)->close();
  const auto dialled = loop.run(dial_tcp("127.0.0.1", port));
  REQUIRE(dialled);
  CHECK(option_of(socket_to(port), IPPROTO_TCP, TCP_USER_TIMEOUT) == 30'000);
}

TEST_CASE("socket: an idle link is probed after 15 s, three times 5 s apart, and then given up") {
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const auto port = (*listener)->port();
  const auto link = loop.run(dial_tcp("127.0.0.1", port));
  REQUIRE(link);
  const int fd = socket_to(port);
  CHECK(option_of(fd, SOL_SOCKET, SO_KEEPALIVE) == 1);
  CHECK(option_of(fd, IPPROTO_TCP, TCP_KEEPIDLE) == 15);
  CHECK(option_of(fd, IPPROTO_TCP, TCP_KEEPINTVL) == 5);
  CHECK(option_of(fd, IPPROTO_TCP, TCP_KEEPCNT) == 3);
}

TEST_CASE("socket: no listener is an io error that names the endpoint", "[loopback]") {
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  const auto port = (*listener)->port();
  (*listener)->close();
  const auto stream = loop.run(connect_tcp("127.0.0.1", port));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::io);
  CHECK_THAT(stream.error().message(), Catch::Contains("127.0.0.1:" + std::to_string(port)));
  const auto absent = loop.run(connect_unix("/nowhere/socket"));
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::io);
  CHECK_THAT(absent.error().message(), Catch::Contains("/nowhere/socket"));
}

TEST_CASE("socket: addresses that cannot be are refused before any system call", "[loopback]") {
  Loop loop;
  const auto listener = listen_tcp(loop.executor(), "not an address", 0);
  REQUIRE_FALSE(listener);
  CHECK(listener.error().code() == errc::invalid_argument);
  const std::string too_long = "/tmp/" + std::string(200, 'p');
  const auto stream = loop.run(connect_unix(too_long));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::invalid_argument);
  CHECK(listen_unix(loop.executor(), too_long).error().code() == errc::invalid_argument);
}

TEST_CASE("socket: a path and a port that are taken are io errors", "[loopback]") {
  const TempFolder folder;
  Loop loop;
  const auto first = listen_unix(loop.executor(), folder.file("socket"));
  REQUIRE(first);
  CHECK(listen_unix(loop.executor(), folder.file("socket")).error().code() == errc::io);
  const auto port = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(port);
  CHECK(listen_tcp(loop.executor(), "127.0.0.1", (*port)->port()).error().code() == errc::io);
}

TEST_CASE("socket: closing a listener ends the pending accept", "[loopback]") {
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  auto accept = loop.start((*listener)->accept());
  loop.settle();
  (*listener)->close();
  const auto end = loop.finish(accept);
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::closed);
}

TEST_CASE("socket: a name that cannot be found is an io error", "[loopback]") {
  Loop loop;
  const auto stream = loop.run(connect_tcp("no..name", 1));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::io);
  CHECK_THAT(stream.error().message(), Catch::Contains("no..name"));
}
