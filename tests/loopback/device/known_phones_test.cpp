// The phone that answers at an address is compared with the phone that is known there, before work
// goes to it.

#include "runtime/device/known_phones.hpp"

#include <catch2/catch.hpp>

#include "adbproto/client/shell.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/connect.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "simdroid/simulation.hpp"
#include "support/device_bench.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/test_keys.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

Result<KeyRing> its_keys() {
  TRY(auto key, RsaKey::from_pem(kKeyPem));
  KeyRing ring;
  ring.keys.push_back(std::move(key));
  ring.comment = "me@here";
  return ring;
}

struct KnownBench {
  ManualTime time;
  DeviceBench host;

  KnownBench() { host.server.stop(); }

  TargetOptions options(const std::string& address, bool accept_new = false) {
    TargetOptions made = host.options();
    auto surroundings = host.usb.surroundings();
    surroundings->load_keys = its_keys;
    made.surroundings = surroundings;
    made.device = address;
    made.transport = Transport::tcp;
    made.accept_new = accept_new;
    return made;
  }
  Result<void> resolve(const TargetOptions& target) {
    const auto device = time.run(host.loop, resolve_device(target), 1ms);
    if (!device) return std::unexpected(device.error());
    return ok();
  }
};

// One address at which one phone after the other listens.
class Places {
 public:
  explicit Places(KnownBench* at) : at_(at) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() { leave(); }

  void stand(const std::string& serial, Admission auth) {
    leave();
    simdroid::SimOptions sim;
    sim.port = port_;
    sim.serial = serial;
    sim.auth = auth;
    sim.authorised = at_->host.home.file("hosts");
    write_text(sim.authorised, its_keys()->keys.front().public_text("me@here") + "\n");
    phone_ = *simdroid::Simulation::create(at_->host.loop.executor(), sim);
    port_ = *phone_->listen();
  }
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  static Task<void> stop(simdroid::Simulation* phone) {
    co_await phone->stop();
    co_return ok();
  }
  void leave() {
    if (phone_) at_->time.run(at_->host.loop, stop(phone_.get()));
    phone_.reset();
  }

  KnownBench* at_;
  std::uint16_t port_ = 0;
  std::unique_ptr<simdroid::Simulation> phone_;
};

}  // namespace

TEST_CASE("known phones: another one at an address is refused until it is accepted",
          "[loopback][S7]") {
  KnownBench at;
  FakeAdbd phone(at.host.loop);
  phone.answers(kWho, shell_output("SN-1\nboot-1\n"));
  REQUIRE(at.resolve(at.options(phone.address())));
  phone.answers(kWho, shell_output("SN-1\nboot-2\n"));  // after a restart
  CHECK(at.resolve(at.options(phone.address())));
  phone.answers(kWho, shell_output("SN-2\nboot-3\n"));
  const auto other = at.resolve(at.options(phone.address()));
  REQUIRE_FALSE(other);
  CHECK(other.error().code() == errc::device_identity_changed);
  CHECK_THAT(other.error().message(), Catch::Contains("SN-2 instead of SN-1"));
  const auto connected =
      at.time.run(at.host.loop, connect_target(at.options(phone.address()), phone.address()), 1ms);
  REQUIRE_FALSE(connected);
  CHECK(connected.error() == other.error());
  CHECK(read_targets()->addresses.empty());
  REQUIRE(at.resolve(at.options(phone.address(), true)));
  CHECK(at.resolve(at.options(phone.address())));
}

TEST_CASE("known phones: who compares by itself is not asked twice", "[loopback][S7]") {
  KnownBench at;
  FakeAdbd phone(at.host.loop);
  phone.serve(kWho, hangs());  // it never answers that
  TargetOptions target = at.options(phone.address());
  target.meets_later = std::make_shared<DialNote>();
  CHECK(at.resolve(target));
  CHECK(read_known_phones()->entries.empty());
}

TEST_CASE("known phones: a dial reads the file, and the meeting after it does not", "[loopback]") {
  KnownBench at;
  FakeAdbd phone(at.host.loop);
  phone.answers(kWho, shell_output("SN-1\nboot-1\n"));
  TargetOptions target = at.options(phone.address());
  REQUIRE(at.resolve(target));
  target.meets_later = std::make_shared<DialNote>();
  const auto device = at.time.run(at.host.loop, resolve_device(target), 1ms);
  REQUIRE(device);
  const auto file = at.host.home.path() / ".clawperator/known_phones.json";
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);  // cannot be read
  DialNote* const note = target.meets_later.get();
  const auto meet = [&](const char* serialno) {
    return at.host.loop.run(meet_phone(&target, device->get(), {serialno, "boot-1"}, note));
  };
  SECTION("the same phone") { CHECK(meet("SN-1")); }
  SECTION("another one") { CHECK(meet("SN-2").error().code() == errc::device_identity_changed); }
  CHECK_FALSE(meet("SN-1"));  // once: this one reads the file
}

TEST_CASE("known phones: a phone that goes silent at the identity query gets no work",
          "[loopback][S7]") {
  KnownBench at;
  FakeAdbd phone(at.host.loop);
  phone.serve(kWho, hangs());
  const auto silent = at.resolve(at.options(phone.address()));
  REQUIRE_FALSE(silent);
  CHECK(silent.error().code() == errc::deadline_exceeded);
}

TEST_CASE("known phones: by TLS, each start with another certificate is the same phone",
          "[loopback][S7]") {
  KnownBench at;
  Places places(&at);
  places.stand("SN-1", Admission::tls);
  const std::string address = places.address();
  REQUIRE(at.resolve(at.options(address)));
  CHECK(read_known_phones()->find(address)->tls);
  places.stand("SN-1", Admission::tls);
  CHECK(at.resolve(at.options(address)));
  places.stand("SN-2", Admission::tls);
  CHECK(at.resolve(at.options(address)).error().code() == errc::device_identity_changed);
}

TEST_CASE("known phones: without TLS the phone of an address that had it gets no key",
          "[loopback][S7]") {
  KnownBench at;
  Places places(&at);
  places.stand("SN-1", Admission::tls);
  const std::string address = places.address();
  REQUIRE(at.resolve(at.options(address)));
  const Admission admission = GENERATE(Admission::open, Admission::key);
  places.stand("SN-1", admission);
  TargetOptions target = at.options(address);
  bool asked_for_keys = false;
  auto surroundings = at.host.usb.surroundings();
  surroundings->load_keys = [&asked_for_keys] {
    asked_for_keys = true;
    return its_keys();
  };
  target.surroundings = surroundings;
  const auto plain = at.resolve(target);
  REQUIRE_FALSE(plain);
  CHECK(plain.error().code() == errc::device_identity_changed);
  CHECK_THAT(plain.error().message(), Catch::Contains("one without TLS instead of SN-1"));
  CHECK_FALSE(asked_for_keys);
  REQUIRE(at.resolve(at.options(address, true)));
  CHECK(at.resolve(at.options(address)));
}
