// The kernel about real sockets of this process.

#include "adbproto/link/peer_socket.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "support/run_task.hpp"

using namespace adbproto;
using namespace adbproto::testing;

namespace {

// A connection whose far end is a plain socket.
struct Pair {
  Loop loop;
  ListenerPtr listener;
  base::FileHandle client;
  ByteStreamPtr accepted;

  explicit Pair(const std::string& host, const std::string& target = "") {
    auto listening = listen_tcp(loop.executor(), host, 0);
    REQUIRE(listening);
    listener = *std::move(listening);
    const std::string& name = target.empty() ? host : target;
    const int family = name.contains(':') ? AF_INET6 : AF_INET;
    client = base::FileHandle(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(connect_to(name, family));
    auto stream = loop.run(listener->accept());
    REQUIRE(stream);
    accepted = *std::move(stream);
  }

  [[nodiscard]] bool connect_to(const std::string& name, int family) const {
    sockaddr_in four{};
    sockaddr_in6 six{};
    four.sin_family = AF_INET;
    six.sin6_family = AF_INET6;
    four.sin_port = six.sin6_port = htons(listener->port());
    if (family == AF_INET) {
      return ::inet_pton(AF_INET, name.c_str(), &four.sin_addr) == 1 &&
             ::connect(client.get(), reinterpret_cast<sockaddr*>(&four), sizeof four) == 0;
    }
    return ::inet_pton(AF_INET6, name.c_str(), &six.sin6_addr) == 1 &&
           ::connect(client.get(), reinterpret_cast<sockaddr*>(&six), sizeof six) == 0;
  }

  [[nodiscard]] std::optional<PeerSocket> found() const { return find_peer_socket(accepted.get()); }
};

std::uint64_t inode_of(const base::FileHandle& socket) {
  struct stat found{};
  REQUIRE(::fstat(socket.get(), &found) == 0);
  return found.st_ino;
}

}  // namespace

TEST_CASE("peer socket: the one at the other end, of IPv4, IPv6 and either at a mapped address",
          "[loopback]") {
  const auto [host, target] =
      GENERATE(table<std::string, std::string>({{"127.0.0.1", ""},
                                                {"::1", ""},
                                                {"::", "127.0.0.1"},
                                                {"::", "::ffff:127.0.0.1"},
                                                {"127.0.0.1", "::ffff:127.0.0.1"},
                                                {"0.0.0.0", "127.0.0.9"}}));
  const Pair pair(host, target);
  const auto found = pair.found();
  REQUIRE(found);
  CHECK(found->user == ::geteuid());
  CHECK(found->inode == inode_of(pair.client));
  CHECK(pair.found() == found);
}

TEST_CASE("peer socket: one that has ended its side, is closed or reset has no owner",
          "[loopback]") {
  Pair pair("127.0.0.1");
  REQUIRE(pair.found());
  SECTION("ended") { ::shutdown(pair.client.get(), SHUT_WR); }
  SECTION("closed") { pair.client.reset(); }
  SECTION("reset") {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(pair.client.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    pair.client.reset();
  }
  CHECK_FALSE(pair.found());
}

TEST_CASE("peer socket: after a reset the port may be another's, which proves nothing",
          "[loopback]") {
  Pair pair("127.0.0.1");
  sockaddr_in ours{};
  socklen_t size = sizeof ours;
  REQUIRE(::getsockname(pair.client.get(), reinterpret_cast<sockaddr*>(&ours), &size) == 0);
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(pair.client.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  pair.client.reset();
  pair.client = base::FileHandle(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(pair.client.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  REQUIRE(::bind(pair.client.get(), reinterpret_cast<sockaddr*>(&ours), size) == 0);
  REQUIRE(pair.connect_to("127.0.0.1", AF_INET));  // the same two ends, another connection
  CHECK_FALSE(pair.found());
}

TEST_CASE("peer socket: a connection that is not accepted yet belongs to no process",
          "[loopback]") {
  // Seen from its client, the socket of the server's side waits in the queue of who listens.
  Loop loop;
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  auto client = loop.run(connect_tcp("127.0.0.1", (*listener)->port()));
  REQUIRE(client);
  CHECK_FALSE(find_peer_socket(client->get()));
  auto accepted = loop.run((*listener)->accept());
  REQUIRE(accepted);
  CHECK(find_peer_socket(client->get()));
}
