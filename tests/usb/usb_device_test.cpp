#include <catch2/catch.hpp>

#include "adbproto/client/sync_client.hpp"
#include "adbproto/client/usb_client.hpp"
#include "adbproto/wire/errc.hpp"
#include "support/stream_io.hpp"
#include "support/temp_folder.hpp"
#include "support/test_keys.hpp"
#include "usb_bench.hpp"
#include "usb_phone.hpp"

namespace adbproto::testing {
namespace {

using namespace std::chrono_literals;
using DevicePtr = std::unique_ptr<Device>;

struct DeviceBench {
  explicit DeviceBench(MockIdentity identity = {}, const simdroid::SimOptions& options = {})
      : phone(&mock, std::move(identity), options) {}

  Result<DevicePtr> connect(std::chrono::milliseconds limit = 3s) {
    DirectOptions options;
    options.limit = limit;
    return loop.run(connect_usb_device(bus.get(), phones().at(0), options));
  }
  std::vector<UsbDevice> phones() { return testing::phones(loop, bus); }
  Result<std::string> shell(Device* device, const std::string& command) {
    auto stream = loop.run(device->open("shell:" + command));
    if (!stream) return std::unexpected(stream.error());
    return loop.run(read_to_end(stream->get()));
  }

  MockBus mock;
  UsbPhone phone;
  Loop loop;
  std::unique_ptr<UsbBus> bus = UsbBus::start(loop.executor()).value();
};

TEST_CASE("usb device: a shell command runs on a phone without an adb server") {
  const auto packet_size = GENERATE(values<std::uint16_t>({64, 512, 1024}));
  DeviceBench at({.packet_size = packet_size});
  const auto device = at.connect();
  REQUIRE(device);
  CHECK((*device)->route() == "usb");
  CHECK((*device)->serial() == "MOCK0001");
  CHECK(at.shell(device->get(), "echo hello") == "hello\n");
  CHECK(at.phone.counts().out_of_step == 0);
}

TEST_CASE("usb device: without a serial it is called by its place on the bus") {
  DeviceBench at({.name = "1-2.3", .serial = ""});
  const auto device = at.connect();
  REQUIRE(device);
  CHECK((*device)->serial() == "usb:1-2.3");
}

TEST_CASE("usb device: two phones with the same serial are both reached") {
  DeviceBench at({.name = "1-1", .serial = "TWIN"});
  simdroid::SimOptions second;
  second.serial = "OTHER";
  UsbPhone twin(&at.mock, {.name = "1-2", .serial = "TWIN"}, second);
  const auto devices = at.phones();
  REQUIRE(devices.size() == 2);
  const auto one = at.loop.run(connect_usb_device(at.bus.get(), devices[0], {}));
  const auto two = at.loop.run(connect_usb_device(at.bus.get(), devices[1], {}));
  REQUIRE(one);
  REQUIRE(two);
  CHECK((*one)->facts().place == "usb:1-1");
  CHECK((*two)->facts().place == "usb:1-2");
  CHECK(at.shell(one->get(), "getprop ro.serialno") == "SIM0DROID1\n");
  CHECK(at.shell(two->get(), "getprop ro.serialno") == "OTHER\n");
}

TEST_CASE("usb device: files of megabytes go there and back") {
  const auto size = GENERATE(values<std::size_t>({65536, 3'000'000, 4u << 20}));
  DeviceBench at;
  const auto device = at.connect();
  REQUIRE(device);
  const Bytes content = noise(size);
  auto sync = at.loop.run(SyncClient::open(device->get()));
  REQUIRE(sync);
  REQUIRE(at.loop.run((*sync)->put("/sdcard/big", 0644, content)));
  const auto back = at.loop.run((*sync)->get("/sdcard/big", 8 << 20));
  REQUIRE(back);
  CHECK((*back == content));
  CHECK(at.phone.counts().out_of_step == 0);
}

TEST_CASE("usb device: a host that goes closes what runs on the phone first", "[F20]") {
  DeviceBench at;
  auto device = at.connect();
  REQUIRE(device);
  // On a cable that stays the phone learns nothing: what runs there would run on.
  auto first = at.loop.run((*device)->open("shell:sleep 100"));
  auto second = at.loop.run((*device)->open("shell:sleep 100"));
  REQUIRE(first);
  REQUIRE(second);
  const unsigned before = at.phone.counts().closes;
  device->reset();
  CHECK(soon(at.loop, [&] { return at.phone.counts().closes == before + 2; }));
  CHECK(at.phone.counts().out_of_step == 0);
  CHECK(at.connect());
}

TEST_CASE("usb device: a cable that is pulled ends every stream at once") {
  DeviceBench at;
  const auto device = at.connect();
  REQUIRE(device);
  auto quiet = at.loop.run((*device)->open("shell:sleep 100"));
  auto other = at.loop.run((*device)->open("shell:sleep 100"));
  REQUIRE(quiet);
  REQUIRE(other);
  auto first = at.loop.start(read_to_end(quiet->get()));
  auto second = at.loop.start(read_to_end(other->get()));
  at.loop.settle();
  at.phone.unplug();
  const auto end = at.loop.finish(first);
  CHECK(end.error() == Error(errc::link_lost, "usb:1-1 was unplugged"));
  CHECK(at.loop.finish(second).error() == end.error());
  CHECK(at.loop.run((*device)->open("shell:id")).error().code() == errc::link_lost);
}

TEST_CASE("usb device: a phone that dies in the middle of a transfer is lost, nothing hangs") {
  DeviceBench at;
  const auto device = at.connect();
  REQUIRE(device);
  auto sync = at.loop.run(SyncClient::open(device->get()));
  REQUIRE(sync);
  REQUIRE(at.loop.run((*sync)->put("/sdcard/big", 0644, noise(2 << 20))));
  at.phone.leave_after(1'000'000);
  CHECK(at.loop.run((*sync)->get("/sdcard/big", 8 << 20)).error().code() == errc::link_lost);
}

TEST_CASE("usb device: a phone that comes back is reached again") {
  DeviceBench at;
  REQUIRE(at.connect());
  for (int i = 0; i < 3; ++i) {
    at.phone.unplug();
    REQUIRE(soon(at.loop, [&] { return at.phones().empty(); }));
    at.phone.plug();
    const auto device = at.connect();
    REQUIRE(device);
    CHECK(at.shell(device->get(), "echo again") == "again\n");
  }
}

// Plugs or unplugs while the test's loop is busy.
struct Later {
  Later(std::chrono::milliseconds delay, std::function<void()> act)
      : thread([delay, act = std::move(act)] {
          std::this_thread::sleep_for(delay);  // Real time: libusb's own thread and timeouts.
          act();
        }) {}
  std::jthread thread;
};

TEST_CASE("usb device: a phone that leaves during the handshake is awaited") {
  DeviceBench at;
  at.phone.leave_after(1);
  const Later back(100ms, [&] {
    at.phone.unplug();
    at.phone.leave_after(1'000'000'000);
    at.phone.plug();
  });
  const auto device = at.connect();
  REQUIRE(device);
  CHECK(at.shell(device->get(), "echo back") == "back\n");
  CHECK(at.phone.device()->counts().resets == 0);
}

TEST_CASE("usb device: a phone that leaves and stays away is lost") {
  DeviceBench at;
  at.phone.leave_after(1);
  const Later gone(50ms, [&] { at.phone.unplug(); });
  CHECK(at.connect().error().code() == errc::link_lost);
}

TEST_CASE("usb device: a phone that does not answer is reset once") {
  DeviceBench at;
  at.phone.set_mute(true);
  SECTION("and answers then") {
    at.phone.device()->set_on_reset([&] { at.phone.set_mute(false); });
    const auto device = at.connect(200ms);
    REQUIRE(device);
    CHECK(at.shell(device->get(), "echo awake") == "awake\n");
  }
  SECTION("and is given up then") {
    CHECK(at.connect(200ms).error().code() == errc::deadline_exceeded);
  }
  CHECK(at.phone.device()->counts().resets == 1);
}

Result<KeyRing> our_keys() {
  TRY(auto key, RsaKey::from_pem(kKeyPem));
  KeyRing ring;
  ring.keys.push_back(std::move(key));
  return ring;
}

// In two transfers, as adbd sends it.
void leave_unread(const UsbPhone& phone, const Packet& packet) {
  const Bytes bytes = encode_packet(packet, ChecksumRule::zero);
  phone.device()->send(Bytes(bytes.begin(), bytes.begin() + kPacketHeaderSize));
  phone.device()->send(Bytes(bytes.begin() + kPacketHeaderSize, bytes.end()));
}

TEST_CASE("usb device: a word that a killed process left unread costs no key") {
  const auto left = GENERATE(values<Packet>(
      {{Command::auth, 1, 0, Bytes(20)},
       {Command::connect, kVersionUnchecked, kMaxPayload, to_bytes("device::features=shell_v2")}}));
  const TempFolder folder;
  write_text(folder.file("keys"), std::string(kKeyPublicBase64) + " me@here\n");
  simdroid::SimOptions sim;
  sim.auth = Admission::key;
  sim.authorised = folder.file("keys");
  DeviceBench at({}, sim);
  leave_unread(at.phone, left);
  DirectOptions options;
  options.keys = our_keys;
  bool needs_owner = false;
  options.on_state = [&](LinkState state) { needs_owner |= state == LinkState::authorizing; };
  options.authorization_limit = GENERATE(0s, 1s);
  const auto device = at.loop.run(connect_usb_device(at.bus.get(), at.phones()[0], options));
  REQUIRE(device);
  CHECK(at.shell(device->get(), "echo in") == "in\n");
  CHECK_FALSE(needs_owner);
}

TEST_CASE("usb device: sixty quick talks, none read to its end") {
  DeviceBench at;
  const std::string big(3000, 'x');
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const auto device = at.connect();
    REQUIRE(device);
    auto stream = at.loop.run((*device)->open("shell:echo " + big + "; echo " + big));
    REQUIRE(stream);
    CHECK(at.loop.run(read_text(stream->get(), 10)) == "xxxxxxxxxx");
  }
  CHECK(at.phone.counts().connects == 60);
  CHECK(at.phone.counts().out_of_step == 0);
  CHECK(at.phone.device()->counts().resets == 0);
}

}  // namespace
}  // namespace adbproto::testing
