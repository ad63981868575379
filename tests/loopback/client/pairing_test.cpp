#include "adbproto/client/pairing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "simdroid/memory_stream.hpp"
#include "simdroid/wireless/pairing_server.hpp"
#include "support/closed_port.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

namespace {

constexpr const char* kGuid = "adb-SIM0001-abcdef";

const RsaKey& host_key() {
  static const RsaKey kKey = RsaKey::generate().value();
  return kKey;
}
const RsaKey& device_key() {
  static const RsaKey kKey = RsaKey::generate().value();
  return kKey;
}

KeyRing key_ring() {
  KeyRing ring;
  ring.keys = {host_key()};
  ring.comment = "test@host";
  return ring;
}

// A link that gives little at a time, and fails after so many bytes.
class PoorLink final : public ByteStream {
 public:
  PoorLink(ByteStreamPtr inner, std::size_t piece, std::size_t cut_at)
      : inner_(std::move(inner)), piece_(piece), left_(cut_at) {}

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    if (left_ == 0) {
      inner_->close();
      co_return fail(errc::io, "cut by the test");
    }
    const auto room = into.first(std::min({into.size(), piece_, left_}));
    CO_TRY(const std::size_t size, co_await inner_->read_some(room));
    left_ -= size;
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { co_return co_await inner_->write_all(bytes); }
  void close() override { inner_->close(); }

 private:
  ByteStreamPtr inner_;
  std::size_t piece_;
  std::size_t left_;
};

// What the host makes of a device with the right code over a poor link.
Result<Paired> pair_poorly(std::size_t piece, std::size_t cut_at) {
  Loop loop;
  auto [at_host, at_device] = make_memory_pair(loop.executor());
  auto poor = std::make_unique<PoorLink>(std::move(at_host), piece, cut_at);
  const auto device =
      loop.start(serve_pairing(std::move(at_device), "592781", device_key(), kGuid));
  auto paired = loop.run(pair_over(std::move(poor), "592781", key_ring()));
  loop.settle();
  CHECK(device->done());
  return paired;
}

constexpr std::size_t kUncut = 1 << 20;

// A pairing port with code 592781, and who came in.
struct Dialog {
  Loop loop{};
  std::vector<std::string> hosts{};
  simdroid::PairingServer server{
      loop.executor(), {"127.0.0.1", 0, "592781", kGuid}, device_key(), [this](std::string host) {
        hosts.push_back(std::move(host));
      }};
  DeviceAddress address{"127.0.0.1", server.listen().value()};

  Result<Paired> pair(std::string code) {
    return loop.run(pair_device(address, std::move(code), key_ring(), 10s));
  }
  Dialog() = default;
  ~Dialog() { loop.run(end()).value(); }
  Dialog(const Dialog&) = delete;
  Dialog& operator=(const Dialog&) = delete;

  Task<bool> end() {
    co_await server.stop();
    co_return true;
  }
};

}  // namespace

TEST_CASE("pairing: host and device know each other after the right code", "[client]") {
  Loop loop;
  auto [at_host, at_device] = make_memory_pair(loop.executor());
  const auto device =
      loop.start(serve_pairing(std::move(at_device), "592781", device_key(), kGuid));
  const auto paired = loop.run(pair_over(std::move(at_host), "592781", key_ring()));
  REQUIRE(paired);
  CHECK(paired->guid == kGuid);
  const auto host = loop.finish(device);
  REQUIRE(host);
  CHECK(*host == host_key().public_text("test@host"));
}

TEST_CASE("pairing: a wrong code is auth_pairing_failed on both sides", "[client]") {
  Loop loop;
  auto [at_host, at_device] = make_memory_pair(loop.executor());
  const auto device =
      loop.start(serve_pairing(std::move(at_device), "592781", device_key(), kGuid));
  const auto paired = loop.run(pair_over(std::move(at_host), "592780", key_ring()));
  REQUIRE_FALSE(paired);
  CHECK(paired.error().code() == errc::auth_pairing_failed);
  const auto host = loop.finish(device);
  REQUIRE_FALSE(host);
  CHECK(host.error().code() == errc::auth_pairing_failed);
}

TEST_CASE("pairing: pieces of any size give the same", "[client]") {
  for (const std::size_t piece : {1u, 2u, 3u, 31u, 1000u}) {
    INFO("pieces of " << piece);
    const auto paired = pair_poorly(piece, kUncut);
    REQUIRE(paired);
    REQUIRE(paired->guid == kGuid);
  }
}

TEST_CASE("pairing: a link that is cut anywhere is an error on both sides", "[client]") {
  // The device says some 1.6 KB of TLS, 38 bytes of SPAKE2 and 8.2 KB of itself.
  for (std::size_t cut_at = 0; cut_at < 8000; cut_at += 157) {
    INFO("cut after " << cut_at);
    const auto paired = pair_poorly(4096, cut_at);
    REQUIRE_FALSE(paired);
    if (cut_at < 500) REQUIRE(paired.error().code() != errc::auth_pairing_failed);
    if (cut_at > 4000) REQUIRE(paired.error().code() == errc::auth_pairing_failed);
  }
}

TEST_CASE("pairing: a peer that speaks no TLS is a protocol error", "[client]") {
  Loop loop;
  auto [at_host, at_device] = make_memory_pair(loop.executor());
  const auto paired = loop.start(pair_over(std::move(at_host), "592781", key_ring()));
  REQUIRE(loop.run(at_device->write_all(as_bytes("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"))));
  const auto outcome = loop.finish(paired);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code() == errc::protocol);
}

TEST_CASE("pairing: a peer that hangs up and a silent one are different errors", "[client]") {
  Loop loop;
  auto [at_host, at_device] = make_memory_pair(loop.executor());
  SECTION("hangs up") {
    at_device->close();
    const auto paired = loop.run(pair_over(std::move(at_host), "592781", key_ring()));
    REQUIRE_FALSE(paired);
    CHECK(paired.error().code() != errc::auth_pairing_failed);
  }
  SECTION("says nothing") {
    const auto listener = listen_tcp(loop.executor(), "127.0.0.1", 0);
    const DeviceAddress address{"127.0.0.1", (*listener)->port()};
    const auto paired = loop.run(pair_device(address, "592781", key_ring(), 50ms));
    REQUIRE_FALSE(paired);
    CHECK(paired.error().code() == errc::deadline_exceeded);
  }
}

TEST_CASE("pairing: there is no pairing without a key or a listener", "[client]") {
  Loop loop;
  auto [at_host, at_device] = make_memory_pair(loop.executor());
  CHECK(loop.run(pair_over(std::move(at_host), "592781", KeyRing{})).error().code() ==
        errc::invalid_argument);
  const ClosedPort closed;
  CHECK(loop.run(pair_device({"127.0.0.1", closed.port()}, "592781", key_ring(), 5s))
            .error()
            .code() == errc::io);
}

TEST_CASE("pairing port: serves host after host", "[client]") {
  Dialog dialog;
  CHECK(dialog.pair("592780").error().code() == errc::auth_pairing_failed);
  for (int i = 0; i < 2; ++i) {
    const auto paired = dialog.pair("592781");
    REQUIRE(paired);
    CHECK(paired->guid == kGuid);
  }
  dialog.loop.settle();
  CHECK(dialog.hosts == std::vector<std::string>(2, host_key().public_text("test@host")));
}

TEST_CASE("pairing port: closes after twenty wrong codes", "[client]") {
  Dialog dialog;
  for (int i = 0; i < 20; ++i) {
    REQUIRE(dialog.pair(std::to_string(100000 + i)).error().code() == errc::auth_pairing_failed);
    dialog.loop.settle();
  }
  CHECK(dialog.pair("592781").error().code() == errc::io);
  CHECK(dialog.hosts.empty());
}

TEST_CASE("pairing port: takes ten clients at once, hangs up on the next", "[client]") {
  Dialog dialog;
  std::vector<ByteStreamPtr> idle;
  idle.reserve(10);
  for (int i = 0; i < 10; ++i) {
    idle.push_back(dialog.loop.run(connect_tcp("127.0.0.1", dialog.address.port)).value());
  }
  auto eleventh = dialog.loop.run(connect_tcp("127.0.0.1", dialog.address.port)).value();
  CHECK(dialog.loop.run(read_to_end(eleventh.get())) == "");
  idle.clear();
  dialog.loop.settle();
  CHECK(dialog.pair("592781"));
}
