#include "adbproto/link/multicast.hpp"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

#include <array>
#include <asio/ip/multicast.hpp>
#include <asio/ip/udp.hpp>
#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "support/run_task.hpp"

using namespace adbproto;
using adbproto::testing::Loop;

namespace {

// A group and a port of this process alone, on the loopback interface.
MulticastOptions own_group() {
  const auto port = static_cast<std::uint16_t>(20000 + ::getpid() % 20000);
  return {"239.255.77.1", port, "127.0.0.1"};
}

Task<Datagram> receive(MulticastSocket* socket) {
  co_return co_await with_deadline(socket->receive(), std::chrono::seconds(5), "a datagram");
}

// What this machine is called elsewhere; none where it has no network.
std::vector<std::string> other_addresses() {
  std::vector<std::string> found;
  ifaddrs* list = nullptr;
  REQUIRE(::getifaddrs(&list) == 0);
  for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
    if (!entry->ifa_addr || entry->ifa_addr->sa_family != AF_INET) continue;
    const auto* address = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
    const asio::ip::address_v4 name(ntohl(address->sin_addr.s_addr));
    if (!name.is_loopback()) found.push_back(name.to_string());
  }
  ::freeifaddrs(list);
  return found;
}

}  // namespace

TEST_CASE("multicast: several members of a group share its port and hear each other", "[link]") {
  Loop loop;
  const auto one = open_multicast(loop.executor(), own_group());
  const auto two = open_multicast(loop.executor(), own_group());
  REQUIRE(one);
  REQUIRE(two);
  CHECK((*one)->receives_announcements());
  CHECK((*two)->receives_announcements());
  REQUIRE(loop.run((*one)->send(as_bytes("hello"))));
  for (auto* socket : {one->get(), two->get()}) {
    const auto heard = loop.run(receive(socket));
    REQUIRE(heard);
    CHECK(as_text(heard->bytes) == "hello");
    CHECK(heard->address == "127.0.0.1");
    CHECK(heard->port == own_group().port);
  }
}

TEST_CASE("multicast: where the port is taken one can still ask and be answered", "[link]") {
  Loop loop;
  const auto options = own_group();
  asio::ip::udp::socket owner(loop.executor());
  owner.open(asio::ip::udp::v4());
  owner.bind({asio::ip::udp::v4(), options.port});
  const asio::ip::address_v4 group = asio::ip::make_address_v4(options.group);
  owner.set_option(asio::ip::multicast::join_group(group, asio::ip::address_v4::loopback()));

  const auto legacy = open_multicast(loop.executor(), options);
  REQUIRE(legacy);
  CHECK_FALSE((*legacy)->receives_announcements());
  REQUIRE(loop.run((*legacy)->send(as_bytes("who is there"))));
  std::array<char, 64> buffer{};
  asio::ip::udp::endpoint asker;
  const std::size_t size = owner.receive_from(asio::buffer(buffer), asker);
  CHECK(std::string_view(buffer.data(), size) == "who is there");
  owner.send_to(asio::buffer("it is me", 8), asker);
  const auto answer = loop.run(receive(legacy->get()));
  REQUIRE(answer);
  CHECK(as_text(answer->bytes) == "it is me");
  CHECK(answer->port == options.port);
}

TEST_CASE("multicast: a member answers one asker alone", "[link]") {
  Loop loop;
  const auto member = open_multicast(loop.executor(), own_group());
  REQUIRE(member);
  asio::ip::udp::socket asker(loop.executor(), {asio::ip::make_address("127.0.0.1"), 0});
  const auto port = asker.local_endpoint().port();
  REQUIRE(loop.run((*member)->send_to(as_bytes("only you"), "127.0.0.1", port)));
  std::array<char, 64> buffer{};
  const std::size_t size = asker.receive(asio::buffer(buffer));
  CHECK(std::string_view(buffer.data(), size) == "only you");
}

TEST_CASE("multicast: a neighbour has an address in a subnet of the interface", "[link][F28]") {
  const std::array<Subnet, 2> both{Subnet{0xC0A80107, 0xFFFFFF00},   // 192.168.1.7/24
                                   Subnet{0x0A000001, 0xFFFFFFFC}};  // 10.0.0.1/30
  CHECK(is_neighbour(0xC0A801FE, both));
  CHECK_FALSE(is_neighbour(0xC0A80207, both));
  CHECK(is_neighbour(0x0A000002, both));
  CHECK_FALSE(is_neighbour(0x0A000005, both));
  CHECK(is_neighbour(0xA9FE1234, both));  // link-local, whatever we have ourselves
  CHECK_FALSE(is_neighbour(0x08080808, both));
  CHECK_FALSE(is_neighbour(0xC0A801FE, {}));
}

TEST_CASE("multicast: only an answer to this host proves that a neighbour sent it", "[link][F28]") {
  Loop loop;
  const auto member = open_multicast(loop.executor(), own_group());
  REQUIRE(member);
  const auto hear = [&](const std::string& from, const std::string& to) {
    asio::ip::udp::socket sender(loop.executor(), {asio::ip::make_address(from), 0});
    sender.set_option(asio::ip::multicast::outbound_interface(asio::ip::address_v4::loopback()));
    sender.send_to(asio::buffer("hello", 5), {asio::ip::make_address(to), own_group().port});
    const auto heard = loop.run(receive(member->get()));
    REQUIRE(heard);
    CHECK(heard->address == from);
    return heard->is_from_this_link;
  };
  CHECK(hear("127.0.0.1", "127.0.0.1"));
  CHECK(hear("127.1.2.3", "127.0.0.1"));
  // The loopback interface has none of the machine's other addresses; what comes to the group has
  // crossed no router, whatever its sender is called.
  for (const std::string& other : other_addresses()) {
    CAPTURE(other);
    CHECK_FALSE(hear(other, "127.0.0.1"));
    CHECK(hear(other, own_group().group));
  }
}

TEST_CASE("multicast: close ends a pending receive", "[link]") {
  Loop loop;
  const auto socket = open_multicast(loop.executor(), own_group());
  REQUIRE(socket);
  const auto pending = loop.start((*socket)->receive());
  loop.settle();
  CHECK_FALSE(pending->done());
  (*socket)->close();
  (*socket)->close();
  const auto ended = loop.finish(pending);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code() == errc::closed);
}

TEST_CASE("multicast: what is no group or interface is refused", "[link]") {
  Loop loop;
  struct Case {
    const char* group;
    const char* interface;
  };
  const auto row = GENERATE(values<Case>({
      {"10.0.0.1", ""},
      {"ff02::fb", ""},
      {"mdns", ""},
      {"", ""},
      {"224.0.0.251", "eth0"},
  }));
  INFO(row.group << " " << row.interface);
  const auto socket = open_multicast(loop.executor(), {row.group, 40000, row.interface});
  REQUIRE_FALSE(socket);
  CHECK(socket.error().code() == errc::invalid_argument);
}
