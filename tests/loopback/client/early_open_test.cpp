// A stream that is opened behind the first packet.
#include <catch2/catch.hpp>

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/shell.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "support/fake_adbd.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kEarly = "shell,v2,raw:logcat";

// A phone that answers every service with its name.
struct Phone {
  Phone() { adbd.offers("delayed_ack").serve("", prints_its_name()); }

  std::unique_ptr<Device> connect(DirectOptions direct, bool expects_delayed_ack,
                                  const std::string& service = kEarly) {
    direct.early = EarlyOpen{.service = service, .delayed_ack = expects_delayed_ack};
    auto device = loop.run(connect_device(adbd.attach(loop), "unit", std::move(direct)));
    REQUIRE(device);
    loop.settle();
    return *std::move(device);
  }
  std::string run(Device* device, const std::string& service) {
    const auto output = loop.run(run_service(device, service, Framing::shell_v2, 5s));
    REQUIRE(output);
    return output->out;
  }
  [[nodiscard]] const std::vector<std::string>& opened() const { return adbd.opened(); }

  Loop loop;
  FakeAdbd adbd{loop};
};

const std::vector<std::string> kOnce{kEarly};

}  // namespace

TEST_CASE("early open: a device that accepts every key has it when it is taken", "[loopback]") {
  Phone phone;
  const bool delayed = GENERATE(false, true);
  const auto device =
      phone.connect({.delayed_ack = delayed ? DelayedAck::announced : DelayedAck::silent}, delayed);
  CHECK(device->facts().agreed_at_once);
  CHECK(phone.opened() == kOnce);
  CHECK(phone.run(device.get(), kEarly) == kEarly);
  CHECK(phone.opened() == kOnce);
  SECTION("but once") {
    CHECK(phone.run(device.get(), kEarly) == kEarly);
    CHECK(phone.opened().size() == 2);
  }
  SECTION("and whatever else is opened") {
    CHECK(phone.run(device.get(), "shell,v2,raw:id") == "shell,v2,raw:id");
  }
}

TEST_CASE("early open: it has no window where the greeting announces none", "[loopback][L2]") {
  Phone phone;
  const auto device = phone.connect({.delayed_ack = DelayedAck::silent}, true);
  CHECK(phone.opened() == kOnce);
  CHECK(phone.run(device.get(), kEarly) == kEarly);
  CHECK(phone.opened() == kOnce);
}

TEST_CASE("early open: what was expected in vain is opened anew", "[loopback]") {
  Phone phone;
  DirectOptions direct;
  SECTION("a flow control that was not remembered") { direct.delayed_ack = DelayedAck::announced; }
  SECTION("a device that asks for a key") {
    const RsaKey key = *RsaKey::from_pem(kKeyPem);
    phone.adbd.lets_in(Admission::key, {key.public_text("a@b")});
    direct.keys = [key]() -> Result<KeyRing> { return KeyRing{.keys = {key}, .comment = "a@b"}; };
  }
  const auto device = phone.connect(direct, false);
  CHECK(phone.opened().empty());
  CHECK(phone.run(device.get(), kEarly) == kEarly);
  CHECK(phone.opened() == kOnce);
  CHECK(phone.run(device.get(), "shell,v2,raw:id") == "shell,v2,raw:id");
}

TEST_CASE("early open: what is longer than anybody takes so early is opened later", "[loopback]") {
  Phone phone;
  const std::string service = kEarly + std::string(4096, ' ');
  const auto device = phone.connect({}, false, service);
  CHECK(phone.opened().empty());
  CHECK(phone.run(device.get(), service) == service);
  CHECK(phone.opened().size() == 1);
}

TEST_CASE("early open: its caller gets a refusal", "[loopback]") {
  Phone phone;
  phone.adbd.serves_nothing();
  const auto device = phone.connect({}, false);
  const auto stream = phone.loop.run(device->open(kEarly));
  REQUIRE_FALSE(stream);
  CHECK(stream.error().code() == errc::refused);
  CHECK(phone.opened() == kOnce);
}

TEST_CASE("early open: who hangs up at it is dialled again without", "[loopback]") {
  Loop loop;
  Scope scope(loop.executor());
  auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  std::vector<std::size_t> heard;
  const auto listen = [](Listener* at, std::vector<std::size_t>* sizes) -> asio::awaitable<void> {
    for (int i = 0; i < 2; ++i) {
      auto link = co_await at->accept();
      if (!link) co_return;
      Bytes bytes(4096);
      sizes->push_back((co_await (*link)->read_some(bytes)).value_or(0));
    }
  };
  scope.spawn(listen(listener->get(), &heard));
  DirectOptions direct;
  direct.early = EarlyOpen{.service = kEarly, .delayed_ack = false};
  const DeviceAddress address{"127.0.0.1", (*listener)->port()};
  const auto started = loop.start(connect_device(address, direct));
  while (heard.size() < 2) loop.settle();
  CHECK(heard[0] > heard[1]);
  (*listener)->close();
  loop.settle();
}
