#include "runtime/device/supervisor/supervisor.hpp"

#include <catch2/catch.hpp>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/target_file.hpp"
#include "simdroid/simulation.hpp"
#include "support/fake_adbd.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/supervisor_bench.hpp"
#include "support/test_keys.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

Task<void> stop_phone(simdroid::Simulation* phone) {
  co_await phone->stop();
  co_return ok();
}

Result<KeyRing> our_keys() {
  TRY(auto key, RsaKey::from_pem(kKeyPem));
  KeyRing ring;
  ring.keys.push_back(std::move(key));
  ring.comment = "me@here";
  return ring;
}

// A supervisor without a server, and a phone that lets in who has a key it knows.
struct AuthorizeBench : SupervisorBench {
  std::unique_ptr<simdroid::Simulation> phone;
  std::string address;

  explicit AuthorizeBench(std::optional<std::chrono::milliseconds> confirm_after,
                          adbproto::Admission admission = adbproto::Admission::key) {
    host.server.stop();
    simdroid::SimOptions sim;
    sim.port = 0;
    sim.auth = admission;
    sim.confirm_after = confirm_after;
    phone = *simdroid::Simulation::create(host.loop.executor(), sim);
    address = "127.0.0.1:" + std::to_string(*phone->listen());
  }
  ~AuthorizeBench() {
    if (events && !events->done()) events->cancel();
    events.reset();
    if (supervisor) time.run(host.loop, stop_supervisor(supervisor.get()));
    supervisor.reset();
    time.run(host.loop, stop_phone(phone.get()));
  }
  TargetOptions options() {
    TargetOptions made = host.options();
    auto surroundings = host.usb.surroundings();
    surroundings->load_keys = our_keys;
    made.surroundings = surroundings;
    return made;
  }
};

}  // namespace

TEST_CASE("authorize: a kept target with an unknown key gets one request when it is needed",
          "[loopback]") {
  AuthorizeBench at(300ms);
  REQUIRE(run_task(add_target(at.address)));
  at.start({.target = at.options()});
  CHECK(at.changes() == "+tcp:" + at.address + "(unauthorized)");
  CHECK(at.changes_after(5s).empty());
  TargetOptions target;
  target.device = at.address;
  auto opening = at.host.loop.start(at.supervisor->open(target));
  CHECK(at.changes_after(150ms) == "~tcp:" + at.address + "(authorizing)");
  const auto device = at.time.finish(at.host.loop, opening);
  REQUIRE(device);
  CHECK(at.time.run(at.host.loop, adbproto::run_shell(device->get(), "getprop ro.serialno", 2s))
            ->out == "SIM0DROID1\n");
  CHECK(at.changes().ends_with("~tcp:" + at.address));
}

TEST_CASE("authorize: a kept target that does not know us is not asked every moment",
          "[loopback][F23]") {
  AuthorizeBench at(300ms);
  FakeAdbd phone(at.host.loop);
  phone.lets_in(adbproto::Admission::key);
  REQUIRE(run_task(add_target(phone.address())));
  at.start({.target = at.options()});
  CHECK(at.changes() == "+tcp:" + phone.address() + "(unauthorized)");
  const std::size_t one_try = phone.dialled();
  at.changes_after(59s);
  CHECK(phone.dialled() == one_try);
  at.changes_after(10s);
  CHECK(phone.dialled() == 2 * one_try);
  // A command that opens it does not wait for the next try; then the phone is simply there.
  phone.lets_in(adbproto::Admission::open);
  CHECK(at.open(phone.address()));
  CHECK(at.changes().ends_with("~tcp:" + phone.address()));
}

TEST_CASE("authorize: a caller that may not wait sends no request", "[loopback]") {
  AuthorizeBench at(0ms);
  REQUIRE(run_task(add_target(at.address)));
  at.start({.target = at.options()});
  TargetOptions target;
  target.device = at.address;
  target.authorization_limit = 0ms;
  CHECK_FALSE(at.time.run(at.host.loop, at.supervisor->open(target)));
  CHECK(at.supervisor->rows().front().state.text() == "unauthorized");
}

TEST_CASE("authorize: each caller chooses how long a person may take, and who gets the notice",
          "[loopback]") {
  AuthorizeBench at(300ms);
  REQUIRE(run_task(add_target(at.address)));
  TargetOptions unattended = at.options();
  unattended.authorization_limit = 0ms;
  at.start({.target = unattended});
  TargetOptions target;
  target.device = at.address;
  std::vector<std::string> notices;
  target.on_notice = [&](std::string_view line) { notices.emplace_back(line); };
  REQUIRE(at.time.run(at.host.loop, at.supervisor->open(target)));
  CHECK(notices.size() == 1);
}

TEST_CASE("authorize: a caller with less time than the supervisor waits no longer", "[loopback]") {
  AuthorizeBench at(std::nullopt);
  REQUIRE(run_task(add_target(at.address)));
  at.start({.target = at.options()});
  TargetOptions target;
  target.device = at.address;
  target.authorization_limit = 5s;
  const auto began = at.time.elapsed();
  const auto device = at.time.run(at.host.loop, at.supervisor->open(target));
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::device_unauthorized);
  CHECK(at.time.elapsed() - began < 7s);
}

TEST_CASE("authorize: without an answer it ends in time, and the phone stays unauthorized",
          "[loopback]") {
  AuthorizeBench at(std::nullopt);
  REQUIRE(run_task(add_target(at.address)));
  at.start({.target = at.options()});
  const auto began = at.time.elapsed();
  const auto device = at.open(at.address);
  REQUIRE_FALSE(device);
  CHECK(device.error().code() == errc::device_unauthorized);
  CHECK(at.time.elapsed() - began < 40s);
  CHECK(at.supervisor->rows().front().state.text() == "unauthorized");
}

TEST_CASE("authorize: a single command also sends the request to the only locked phone",
          "[loopback]") {
  AuthorizeBench at(200ms);
  TargetOptions options = at.options();
  std::vector<std::string> notices;
  options.on_notice = [&](std::string_view line) { notices.emplace_back(line); };
  REQUIRE(run_task(add_target(at.address)));
  const auto device = at.time.run(at.host.loop, resolve_device(options));
  REQUIRE(device);
  CHECK((*device)->serial() == at.address);
  REQUIRE(notices.size() == 1);
  CHECK_THAT(notices.front(), Catch::Contains("on the phone's screen"));
  REQUIRE(at.time.run(at.host.loop, resolve_device(options)));  // known from now on
  CHECK(notices.size() == 1);
}

TEST_CASE("authorize: over TLS the row says so", "[loopback]") {
  AuthorizeBench at(std::nullopt, adbproto::Admission::tls);
  REQUIRE(at.phone->authorise(our_keys()->public_text()));
  REQUIRE(run_task(add_target(at.address)));
  const auto rows = at.time.run(at.host.loop, list_devices(at.options(), Detail::described));
  REQUIRE(rows);
  REQUIRE(rows->size() == 1);
  CHECK(rows->front().state.text() == "device");
  CHECK(rows->front().identity == "SIM0DROID1");
  REQUIRE(rows->front().facts);
  CHECK(rows->front().facts->tls);
}
