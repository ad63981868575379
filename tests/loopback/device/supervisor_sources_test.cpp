#include "runtime/device/supervisor/supervisor.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/device/target_file.hpp"
#include "support/fake_device.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/supervisor_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

// A phone on USB that may not be opened until a udev rule is there.
struct DeniedBench : SupervisorBench {
  FakeAdbd phone{host.loop};

  DeniedBench() {
    host.server.stop();
    host.usb.plug("usb:1-2", "SN-1", &phone);
    host.usb.shows("usb:1-2", UsbDevice::Access::denied);
    host.usb.refuses("usb:1-2", Error(errc::usb_no_permission, "no udev rule"));
    start();
  }
};

}  // namespace

TEST_CASE("supervisor: rights that a phone on USB gets much later are noticed", "[loopback]") {
  DeniedBench at;
  CHECK_THAT(at.changes_after(2s), Catch::EndsWith("+usb:SN-1(no permissions)"));
  at.host.usb.refuses("usb:1-2", std::nullopt);
  CHECK(at.changes_after(5s).empty());  // the supervisor does not look again and again
  at.host.usb.shows("usb:1-2", UsbDevice::Access::open);
  CHECK(at.changes_after(500ms) == "~usb:SN-1");
}

TEST_CASE("supervisor: rights that come while the last look is denied are noticed", "[loopback]") {
  DeniedBench at;
  const auto after = GENERATE(50ms, 250ms, 350ms, 450ms, 550ms, 650ms);
  at.changes_after(after);
  at.host.usb.refuses("usb:1-2", std::nullopt);
  at.host.usb.shows("usb:1-2", UsbDevice::Access::open);
  at.changes_after(1s);
  CHECK(at.supervisor->rows().front().state.text() == "device");
}

TEST_CASE("supervisor: a phone that the server lets go of is reached by USB", "[loopback]") {
  const bool is_listed = GENERATE(true, false);  // as after `adb detach`
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.server_lists({"SN-1 device usb:1-2"});
  at.start();
  at.changes_after(1s);
  CHECK(at.host.usb.opens() == 0);
  at.host.server_lists(is_listed ? std::vector<std::string>{"SN-1 detached usb:1-2"}
                                 : std::vector<std::string>{});
  at.changes_after(1s);
  const auto device = at.open("SN-1");
  REQUIRE(device);
  CHECK((*device)->route() == "usb");
}

TEST_CASE("supervisor: a target that is connected again at once begins anew", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  phone.answers(kWho, shell_output("SN-1\nboot-1\n"));
  TargetOptions target;
  target.device = phone.address();
  const bool is_target = GENERATE(true, false);
  if (is_target) REQUIRE(run_task(add_target(phone.address())));
  if (!is_target) target.transport = Transport::tcp;
  at.start();
  REQUIRE(at.time.run(at.host.loop, at.supervisor->open(target)));
  phone.answers(kWho, shell_output("SN-2\nboot-2\n"));
  phone.drop_links();
  at.changes_after(2s);
  CHECK(at.time.run(at.host.loop, at.supervisor->open(target)).error().code() ==
        errc::device_identity_changed);
  CHECK(run_task(remove_target(phone.address())) == is_target);
  REQUIRE(run_task(add_target(phone.address())));
  at.changes_after(1500ms);
  CHECK(at.open(phone.address()).error().code() == errc::device_identity_changed);
  CHECK(run_task(forget_phones(phone.address(), {}))->size() == 1);
  at.changes_after(1500ms);
  CHECK(at.open(phone.address()));
}

TEST_CASE("supervisor: who answered at an address through a server is forgotten by disconnecting",
          "[loopback]") {
  SupervisorBench at;
  at.host.server_lists({"10.0.0.2:5555 device"});
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-1\nboot-1\n"));
  at.start();
  REQUIRE(at.open("10.0.0.2:5555"));
  at.host.server_lists({});
  at.changes_after(1s);
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-2\nboot-2\n"));
  at.host.server_lists({"10.0.0.2:5555 device"});
  at.changes_after(1s);
  CHECK(at.open("10.0.0.2:5555").error().code() == errc::device_identity_changed);
  REQUIRE(run_task(note_disconnected("10.0.0.2:5555")));
  at.changes_after(1500ms);
  CHECK(at.open("10.0.0.2:5555"));
}

TEST_CASE("supervisor: another phone that left is no obstacle any more", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  auto phone = std::make_unique<FakeAdbd>(at.host.loop);
  phone->answers(kWho, shell_output("SN-1\nboot-1\n"));
  REQUIRE(run_task(add_target(phone->address())));
  at.start();
  at.changes();
  phone->answers(kWho, shell_output("SN-2\nboot-2\n"));
  phone->drop_links();
  at.changes_after(2s);
  CHECK_FALSE(at.supervisor->rows().front().obstacle.empty());
  phone.reset();
  at.changes_after(10s);
  CHECK(at.supervisor->rows().front().obstacle.empty());
}

TEST_CASE("supervisor: targets stay while their file cannot be read", "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  REQUIRE(run_task(add_target(phone.address())));
  at.start();
  CHECK(at.changes() == "+tcp:" + phone.address());
  const auto file = at.host.home.path() / ".clawperator/targets.json";
  write_text(file, std::string(100'000, ' '));  // longer than any
  CHECK(at.changes_after(3s).empty());
  CHECK(phone.links() == 1);
  std::filesystem::remove(file);
  CHECK(at.changes_after(3s) == "-tcp:" + phone.address());
}

TEST_CASE("supervisor: a target that was added a moment before it stops does not keep it",
          "[loopback][F22]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.start();
  at.changes();
  REQUIRE(run_task(add_target(phone.address())));
  CHECK(at.time.run(at.host.loop, stop_supervisor(at.supervisor.get())));
  CHECK(phone.dialled() == 0);
}

TEST_CASE("supervisor: a phone that does not know our key is not asked every moment",
          "[loopback][F23]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.usb.refuses("usb:1-2", Error(errc::device_unauthorized, "does not know our key"));
  at.start();
  CHECK(at.changes() == "+usb:SN-1(unauthorized)");
  constexpr std::size_t kOneLook = 2;  // one refusal may be about an old token
  CHECK(at.host.usb.opens() == kOneLook);
  at.changes_after(59s);
  CHECK(at.host.usb.opens() == kOneLook);
  at.changes_after(10s);
  CHECK(at.host.usb.opens() == 2 * kOneLook);
  // What changes on the bus is looked at again, and so is a phone that a command names.
  at.host.usb.shows("usb:1-2", UsbDevice::Access::busy);
  at.changes_after(1s);
  CHECK(at.host.usb.opens() > 2 * kOneLook);
  at.host.usb.refuses("usb:1-2", std::nullopt);
  CHECK(at.open("SN-1"));
}

TEST_CASE("supervisor: who looks for a server waits for one that is silent, but not for long",
          "[loopback]") {
  const bool stops = GENERATE(false, true);
  SupervisorBench at;
  at.host.server.stop();
  at.start();
  CHECK(at.changes_after(10s).empty());
  at.host.server.answers("host:track-devices-l", "", After::is_silent);
  at.host.server.start_again();
  const auto look = at.host.loop.start(find_server(at.supervisor.get()));
  at.time.advance(at.host.loop, 100ms);
  CHECK_FALSE(look->done());
  const auto began = at.time.elapsed();
  if (stops) CHECK(at.time.run(at.host.loop, stop_supervisor(at.supervisor.get())));
  if (!stops) at.time.advance(at.host.loop, 400ms);
  at.host.loop.settle();
  CHECK(look->done());
  if (stops) CHECK(at.time.elapsed() - began < 400ms);  // stop() did not wait for its end
}
