#include "adbproto/client/discovery.hpp"

#include <unistd.h>

#include <asio/ip/multicast.hpp>
#include <asio/ip/udp.hpp>
#include <catch2/catch.hpp>
#include <map>

#include "simdroid/wireless/mdns_records.hpp"
#include "simdroid/wireless/mdns_responder.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;
using Found = std::vector<DiscoveredService>;

namespace Catch {
template <>
struct StringMaker<DiscoveredService> {
  static std::string convert(const DiscoveredService& found) {
    return std::string(service_type(found.service)) + " " + found.instance + " at " + found.host +
           ":" + std::to_string(found.port);
  }
};
}  // namespace Catch

namespace {

// A group and a port of this process alone, on the loopback interface.
DiscoveryOptions own_group() {
  const auto port = static_cast<std::uint16_t>(40000 + ::getpid() % 20000);
  return {"239.255.77.3", port, "127.0.0.1"};
}

simdroid::Announcement phone() {
  return {"Android",
          "127.0.0.1",
          {{AdbService::tls_connect, "adb-S1-abc", 37123},
           {AdbService::tls_pairing, "studio-0123456789 (2)", 41000}}};
}

const Found kPhone = {
    {AdbService::tls_connect, "adb-S1-abc", "127.0.0.1", 37123},
    {AdbService::tls_pairing, "studio-0123456789 (2)", "127.0.0.1", 41000},
};

Task<bool> stop(simdroid::MdnsResponder* responder) {
  co_await responder->stop();
  co_return true;
}

Task<Found> wait_for(Discovery* discovery, std::size_t count) {
  while (discovery->services().size() != count) {
    CO_TRY_VOID(co_await with_deadline(discovery->wait_change(), 5s, "a change"));
  }
  co_return discovery->services();
}

GetEnvironment variables(std::map<std::string, std::string> of) {
  return [of](const char* name) -> std::optional<std::string> {
    const auto found = of.find(name);
    if (found == of.end()) return std::nullopt;
    return found->second;
  };
}

}  // namespace

TEST_CASE("discovery: finds who is there and who comes, loses who leaves", "[client]") {
  Loop loop;
  simdroid::MdnsResponder early(loop.executor(), phone());
  REQUIRE(early.start(own_group()));
  const auto discovery = loop.run(Discovery::start(own_group()));
  REQUIRE(discovery);
  CHECK(loop.run(wait_for(discovery->get(), 2)) == kPhone);

  simdroid::MdnsResponder late(loop.executor(),
                               {"Other", "127.0.0.1", {{AdbService::plain, "adb-S2", 5555}}});
  REQUIRE(late.start(own_group()));
  const auto three = loop.run(wait_for(discovery->get(), 3));
  REQUIRE(three);
  CHECK(by_instance(*three).at(1) ==
        DiscoveredService{AdbService::plain, "adb-S2", "127.0.0.1", 5555});

  REQUIRE(loop.run(stop(&late)));
  CHECK(loop.run(wait_for(discovery->get(), 2)) == kPhone);
  REQUIRE(loop.run(stop(&early)));
  CHECK(loop.run(wait_for(discovery->get(), 0)) == Found{});
}

TEST_CASE("discovery: a waiter is woken when the discovery ends", "[client]") {
  Loop loop;
  auto discovery = loop.run(Discovery::start(own_group()));
  REQUIRE(discovery);
  const auto waiting = loop.start((*discovery)->wait_change());
  loop.settle();
  CHECK_FALSE(waiting->done());
  discovery->reset();
  const auto ended = loop.finish(waiting);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code() == errc::cancelled);
  loop.settle();
}

TEST_CASE("discovery: where it is switched off it says so at once", "[client]") {
  Loop loop;
  DiscoveryOptions options = own_group();
  options.group.clear();
  const auto discovery = loop.run(Discovery::start(options));
  REQUIRE_FALSE(discovery);
  CHECK(discovery.error() == Error(errc::unsupported, "mDNS is turned off by ADB_MDNS=0"));
}

TEST_CASE("discovery: nonsense on the group changes nothing", "[client]") {
  Loop loop;
  const auto discovery = loop.run(Discovery::start(own_group()));
  REQUIRE(discovery);
  const auto noise =
      open_multicast(loop.executor(), {own_group().group, own_group().port, "127.0.0.1"});
  REQUIRE(noise);
  REQUIRE(loop.run((*noise)->send(as_bytes("no DNS at all, but long enough to be read as some"))));
  simdroid::MdnsResponder responder(loop.executor(), phone());
  REQUIRE(responder.start(own_group()));
  CHECK(loop.run(wait_for(discovery->get(), 2)) == kPhone);
  REQUIRE(loop.run(stop(&responder)));
}

TEST_CASE("discovery: where somebody else owns the port, he still answers", "[client]") {
  Loop loop;
  asio::ip::udp::socket owner(loop.executor());
  owner.open(asio::ip::udp::v4());
  owner.bind({asio::ip::udp::v4(), own_group().port});
  const auto group = asio::ip::make_address_v4(own_group().group);
  owner.set_option(asio::ip::multicast::join_group(group, asio::ip::address_v4::loopback()));

  const auto discovery = loop.run(Discovery::start(own_group()));
  REQUIRE(discovery);
  loop.settle();
  Bytes buffer(9000);
  asio::ip::udp::endpoint asker;
  const std::size_t size = owner.receive_from(asio::buffer(buffer), asker);
  CHECK(asker.port() != own_group().port);
  const auto answer = simdroid::answer(phone(), parse_mdns(ByteView(buffer).first(size)).value());
  REQUIRE(answer);
  owner.send_to(asio::buffer(encode_mdns_message(*answer).value()), asker);
  CHECK(loop.run(wait_for(discovery->get(), 2)) == kPhone);
}

TEST_CASE("discovery: the environment switches it off or moves it", "[client]") {
  struct Case {
    std::map<std::string, std::string> environment;
    std::string group;
    std::uint16_t port;
    std::string interface_address;
  };
  const auto row = GENERATE(values<Case>({
      {{}, "224.0.0.251", 5353, ""},
      {{{"ADB_MDNS", "1"}}, "224.0.0.251", 5353, ""},
      {{{"ADB_MDNS", "0"}}, "", 5353, ""},
      {{{"CLAWPERATOR_MDNS", "239.1.2.3:4000,127.0.0.1"}}, "239.1.2.3", 4000, "127.0.0.1"},
      {{{"CLAWPERATOR_MDNS", "239.1.2.3:4000"}}, "239.1.2.3", 4000, ""},
      {{{"CLAWPERATOR_MDNS", "239.1.2.3"}}, "239.1.2.3", 5353, ""},
      {{{"CLAWPERATOR_MDNS", ""}}, "224.0.0.251", 5353, ""},
  }));
  const auto options = discovery_options(variables(row.environment));
  CHECK(options.group == row.group);
  CHECK(options.port == row.port);
  CHECK(options.interface_address == row.interface_address);
}

TEST_CASE("discovery: a bad group is the caller's mistake", "[client]") {
  Loop loop;
  const auto discovery = loop.run(Discovery::start({"localhost", 5353, ""}));
  REQUIRE_FALSE(discovery);
  CHECK(discovery.error().code() == errc::invalid_argument);
}

TEST_CASE("discovery: an answer that comes from another port is none", "[client][F28]") {
  Loop loop;
  const auto discovery = loop.run(Discovery::start(own_group()));
  REQUIRE(discovery);
  DnsMessage message;
  message.kind = DnsMessage::Kind::response;
  const DnsName type = dns_name("_adb._tcp.local");
  DnsName instance = type;
  instance.insert(instance.begin(), "adb-FAKE");
  message.records = {
      {type, DnsRecord::Cache::adds, 120, DnsPointer{instance}},
      {instance, DnsRecord::Cache::adds, 120, DnsService{0, 0, 5555, {"h", "local"}}},
      {{"h", "local"},
       DnsRecord::Cache::adds,
       120,
       DnsAddress4{{std::byte{10}, std::byte{0}, std::byte{0}, std::byte{9}}}}};
  const auto bytes = encode_mdns_message(message);
  REQUIRE(bytes);
  asio::ip::udp::socket stranger(loop.executor(), asio::ip::udp::v4());
  const auto loopback = asio::ip::make_address_v4("127.0.0.1");
  stranger.set_option(asio::ip::multicast::outbound_interface(loopback));
  stranger.send_to(asio::buffer(bytes->data(), bytes->size()),
                   {asio::ip::make_address(own_group().group), own_group().port});
  simdroid::MdnsResponder responder(loop.executor(), phone());
  REQUIRE(responder.start(own_group()));
  CHECK(loop.run(wait_for(discovery->get(), 2)) == kPhone);
  REQUIRE(loop.run(stop(&responder)));
}
