#include "runtime/device/supervisor/supervisor.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "adbproto/client/shell.hpp"
#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/target_file.hpp"
#include "support/closed_port.hpp"
#include "support/fake_device.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/supervisor_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;
using namespace adbproto;

TEST_CASE("supervisor: the server's list is followed, from the first block on", "[loopback]") {
  SupervisorBench at;
  at.host.server_lists({"A device", "B offline"});
  at.start();
  CHECK(at.changes() == "+server:A +server:B(offline)");
  CHECK(at.changes().empty());
  at.host.server_lists({"A device", "B device"});
  CHECK(at.changes() == "~server:B");
  at.host.server_lists({"A device"});
  CHECK(at.changes() == "-server:B");
  CHECK(at.supervisor->rows().size() == 1);
}

TEST_CASE("supervisor: a server that is killed and comes back is followed again", "[loopback]") {
  SupervisorBench at;
  at.host.server_lists({"A device"});
  at.start();
  CHECK(at.changes() == "+server:A");
  for (int i = 0; i < 3; ++i) {
    at.host.server.stop();
    CHECK(at.changes_after(100ms) == "-server:A");
    CHECK(at.changes_after(5s).empty());
    at.host.server.start_again();
    CHECK(at.changes_after(4s) == "+server:A");
  }
}

TEST_CASE("supervisor: a server that started unnoticed is found by the next call", "[loopback]") {
  const bool opens = GENERATE(true, false);
  SupervisorBench at;
  at.host.server.stop();
  at.start();
  CHECK(at.changes_after(10s).empty());  // the next look by itself is seconds away
  at.host.server_lists({"A device"});
  at.host.server.start_again();
  if (opens) CHECK(at.open("A"));
  if (!opens) {
    REQUIRE(at.time.run(at.host.loop, find_server(at.supervisor.get())));
    CHECK(at.supervisor->rows().size() == 1);
  }
}

TEST_CASE("supervisor: no server, no USB, no target is no error, just nothing", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  at.start();
  CHECK(at.supervisor->rows().empty());
  REQUIRE(at.supervisor->why_nothing());
  CHECK(at.supervisor->why_nothing()->code() == errc::adb_server_failed);
  CHECK(at.open("A").error().code() == errc::device_not_found);
  at.host.server_lists({"A device"});
  at.host.server.start_again();
  CHECK(at.changes_after(4s) == "+server:A");
  CHECK_FALSE(at.supervisor->why_nothing());
  at.host.server_lists({});
  CHECK(at.changes() == "-server:A");
  CHECK_FALSE(at.supervisor->why_nothing());
}

TEST_CASE("supervisor: the identities of the server's devices are read once, on demand",
          "[loopback]") {
  const std::string who =
      "shell,v2,raw:getprop ro.serialno;getprop ro.product.name;getprop ro.product.model;"
      "getprop ro.product.device";
  const Detail detail = GENERATE(clawperator::Detail::states, clawperator::Detail::described);
  SupervisorBench at;
  at.host.server.answers(who, "OKAY" + shell_output("SN-1\n\n\n\n"));
  at.host.server_lists({"A device", "B offline"});
  at.start({.target = at.host.options(), .detail = detail});
  at.changes();
  at.host.server_lists({"A device"});
  at.changes();
  CHECK(at.supervisor->rows().front().identity == (detail == Detail::described ? "SN-1" : ""));
  CHECK(std::ranges::count(at.host.server.requests(), who) ==
        (detail == Detail::described ? 1 : 0));
}

TEST_CASE("supervisor: a device is opened once and kept", "[loopback]") {
  SupervisorBench at;
  at.host.server_lists({"A device"});
  at.start();
  const auto first = at.open("A");
  const auto again = at.open("A");
  REQUIRE(first);
  REQUIRE(again);
  CHECK(*first == *again);
  at.host.server_lists({"A offline"});
  at.changes();
  at.host.server_lists({"A device"});
  at.changes();
  const auto renewed = at.open("A");
  REQUIRE(renewed);
  CHECK(*renewed != *first);
}

TEST_CASE("supervisor: when the server loses a device, all its streams end at once, for one reason",
          "[loopback]") {
  SupervisorBench at;
  at.host.server_lists({"A device"});
  at.host.server.answers("shell,v2,raw:cat", "OKAY", After::is_silent);
  at.start();
  const auto device = at.open("A");
  REQUIRE(device);
  auto one = at.time.run(at.host.loop, (*device)->open("shell,v2,raw:cat"));
  auto two = at.time.run(at.host.loop, (*device)->open("shell,v2,raw:cat"));
  REQUIRE(one);
  REQUIRE(two);
  Bytes buffer(16);
  auto first = at.host.loop.start((*one)->read_some(buffer));
  Bytes other(16);
  auto second = at.host.loop.start((*two)->read_some(other));
  at.host.loop.settle();
  CHECK_FALSE(first->done());
  at.host.server_lists({});
  at.host.loop.settle();
  REQUIRE(first->done());
  REQUIRE(second->done());
  const auto end = first->result();
  REQUIRE_FALSE(end);
  CHECK(end.error().code() == errc::link_lost);
  CHECK(second->result().error() == end.error());
  CHECK(at.time.run(at.host.loop, (*device)->open("shell,v2,raw:cat")).error() == end.error());
}

TEST_CASE("supervisor: a TCP target is kept connected, and found again after a drop",
          "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  REQUIRE(run_task(add_target(phone.address())));
  at.start({.target = at.host.options()});
  CHECK(at.changes() == "+tcp:" + phone.address());
  const auto device = at.open(phone.address());
  REQUIRE(device);
  phone.drop_links();
  CHECK(at.changes() == "~tcp:" + phone.address() + "(offline)");
  CHECK(at.time.run(at.host.loop, (*device)->open("shell,v2,raw:id")).error().code() ==
        errc::link_lost);
  CHECK(at.changes_after(200ms).empty());
  CHECK(at.changes_after(100ms) == "~tcp:" + phone.address());
  const auto again = at.open(phone.address());
  REQUIRE(again);
  CHECK(*again != *device);
}

TEST_CASE("supervisor: targets that come and go in the file are followed", "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  at.start();
  CHECK(at.changes().empty());
  REQUIRE(run_task(add_target(phone.address())));
  CHECK(at.changes_after(2500ms) ==
        "+tcp:" + phone.address() + "(connecting) ~tcp:" + phone.address());
  REQUIRE(run_task(remove_target(phone.address())));
  CHECK(at.changes_after(2500ms) == "-tcp:" + phone.address());
  at.host.loop.settle();
  CHECK(phone.links() == 0);
}

TEST_CASE("supervisor: a target that is added is followed at once", "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  at.start();
  CHECK(at.changes().empty());
  REQUIRE(run_task(add_target(phone.address())));
  CHECK_THAT(at.changes_after(50ms), Catch::StartsWith("+tcp:" + phone.address()));
}

TEST_CASE("supervisor: another phone at the same address gets no work", "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  phone.answers(kWho, shell_output("SN-1\nboot-1\n"));
  REQUIRE(run_task(add_target(phone.address())));
  at.start();
  REQUIRE(at.open(phone.address()));
  phone.answers(kWho, shell_output("SN-2\nboot-2\n"));
  phone.drop_links();
  at.changes();
  const auto other = at.open(phone.address());
  REQUIRE_FALSE(other);
  CHECK(other.error().code() == errc::device_identity_changed);
  CHECK_THAT(other.error().members(), Catch::Contains("SN-2"));
  phone.answers(kWho, shell_output("SN-1\nboot-3\n"));  // rebooted, and back
  at.changes_after(5s);
  CHECK(at.open(phone.address()));
}

TEST_CASE("supervisor: of phones that are gone only so many are remembered", "[loopback][F33]") {
  constexpr int kRemembered = 256;
  SupervisorBench at;
  at.host.server_lists({});
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-1\nboot-1\n"));
  at.start();
  for (int i = 0; i <= kRemembered; ++i) {
    const std::string name = "phone-" + std::to_string(i);
    at.host.server_lists({name + " device"});
    at.changes();
    REQUIRE(at.open(name));
  }
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-2\nboot-2\n"));
  at.host.server_lists({"phone-1 device"});
  at.changes();
  CHECK(at.open("phone-1").error().code() == errc::device_identity_changed);
  at.host.server_lists({"phone-0 device"});
  at.changes();
  CHECK(at.open("phone-0"));
}

TEST_CASE("supervisor: the identity is checked through a server, too", "[loopback]") {
  SupervisorBench at;
  at.host.server_lists({"10.0.0.1:5555 device"});
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-1\nboot-1\n"));
  at.start();
  REQUIRE(at.open("10.0.0.1:5555"));
  at.host.server_lists({});
  at.changes();
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-2\nboot-2\n"));
  at.host.server_lists({"10.0.0.1:5555 device"});
  CHECK(at.open("10.0.0.1:5555").error().code() == errc::device_identity_changed);
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-1\nboot-2\n"));
  CHECK(at.open("10.0.0.1:5555"));
}

TEST_CASE("supervisor: phones on USB arrive and leave", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.start();
  CHECK(at.changes().empty());
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  CHECK(at.changes_after(50ms) == "+usb:SN-1(connecting) ~usb:SN-1");
  const auto device = at.open("SN-1");
  REQUIRE(device);
  CHECK((*device)->route() == "usb");
  at.host.usb.unplug("usb:1-2");
  CHECK(at.changes_after(50ms) == "-usb:SN-1");
  CHECK(at.time.run(at.host.loop, (*device)->open("shell,v2,raw:id")).error().code() ==
        errc::link_lost);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.changes_after(100ms);
  const auto again = at.open("SN-1");
  REQUIRE(again);
  CHECK(*again != *device);
}

TEST_CASE("supervisor: sixty quick replugs leave nothing hung", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.start();
  for (int i = 0; i < 60; ++i) {
    at.host.usb.plug("usb:1-2", "SN-1", &phone);
    at.time.advance(at.host.loop, std::chrono::milliseconds(i % 7));
    const auto device = at.open("SN-1");
    if (device) CHECK((*device)->route() == "usb");
    at.host.usb.unplug("usb:1-2");
    if (i % 3 != 0) at.changes();
  }
  CHECK(at.changes_after(5s).find('+') == std::string::npos);
  CHECK(at.supervisor->rows().empty());
  CHECK(phone.links() == 0);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.changes_after(100ms);
  CHECK(at.open("SN-1"));
}

TEST_CASE("supervisor: udev may give the rights a little late", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.start();
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.usb.refuses("usb:1-2", Error(errc::usb_no_permission, "no udev rule"));
  CHECK(at.changes_after(50ms) == "+usb:SN-1(no permissions)");
  at.host.usb.refuses("usb:1-2", std::nullopt);
  CHECK(at.changes_after(300ms) == "~usb:SN-1");
}

TEST_CASE("supervisor: a phone that the server held is reached by USB once the server is gone",
          "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.server_lists({"SN-1 device usb:1-2"});
  at.start();
  CHECK(at.changes() == "+server:SN-1");
  const auto through_server = at.open("SN-1");
  REQUIRE(through_server);
  CHECK((*through_server)->route() == "server");
  at.changes_after(1s);
  CHECK(at.host.usb.opens() == 0);
  at.host.server.stop();
  at.changes_after(1s);
  const auto direct = at.open("SN-1");
  REQUIRE(direct);
  CHECK((*direct)->route() == "usb");
}

TEST_CASE("supervisor: stopping ends everything, also what is in use", "[loopback]") {
  SupervisorBench at;
  FakeAdbd phone(at.host.loop);
  REQUIRE(run_task(add_target(phone.address())));
  at.host.server_lists({"A device"});
  at.start();
  const auto held = at.open("A");
  REQUIRE(held);
  const auto kept = at.open(phone.address());
  REQUIRE(kept);
  at.changes();
  REQUIRE(at.time.run(at.host.loop, stop_supervisor(at.supervisor.get())));
  at.supervisor.reset();
  at.events.reset();
  at.host.loop.settle();
  CHECK(phone.links() == 0);
  for (const auto& device : {*held, *kept}) {
    CHECK(at.time.run(at.host.loop, device->open("shell,v2,raw:id")).error().code() ==
          errc::link_lost);
  }
}

TEST_CASE("supervisor: a caller that stops waiting for the first list leaves nothing behind",
          "[loopback]") {
  SupervisorBench at;
  const auto silent = adbproto::listen_tcp(at.host.loop.executor(), "127.0.0.1", 0);
  REQUIRE(silent);
  REQUIRE(run_task(add_target("127.0.0.1:" + std::to_string((*silent)->port()))));
  const auto wait = GENERATE(0ms, 100ms, 1000ms, 2500ms);
  const bool works = wait > 2000ms;  // the first look is over
  bool began = false;
  const auto use = [](Supervisor* supervisor, bool* entered) -> Task<void> {
    *entered = true;
    while (co_await supervisor->next_events()) {
    }
    co_await sleep_for(0ms);  // throws: it was cancelled
    co_return ok();
  };
  auto work = at.host.loop.start(with_deadline(
      with_supervisor<void>({.target = at.host.options()},
                            [&](Supervisor* supervisor) { return use(supervisor, &began); }),
      1h, "work"));
  at.time.advance(at.host.loop, wait);
  CHECK_FALSE(work->done());
  CHECK(began == works);
  work->cancel();
  at.time.advance(at.host.loop, 100ms);
  REQUIRE(work->done());
  at.time.advance(at.host.loop, 5s);  // which has no effect any more
}

TEST_CASE("supervisor: two that want the same silent address both get the error", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  at.start();
  TargetOptions target;
  const ClosedPort closed;
  target.device = closed.address();
  target.transport = Transport::tcp;
  auto one = at.host.loop.start(at.supervisor->open(target));
  auto two = at.host.loop.start(at.supervisor->open(target));
  CHECK(at.time.finish(at.host.loop, one).error().code() == errc::device_not_found);
  CHECK(at.time.finish(at.host.loop, two).error().code() == errc::device_not_found);
  at.changes_after(2500ms);
  CHECK(at.supervisor->rows().empty());
}

TEST_CASE("supervisor: stopping ends the waits for devices and for events", "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.usb.mutes("usb:1-2");
  at.start();
  at.changes();
  const auto silent = adbproto::listen_tcp(at.host.loop.executor(), "127.0.0.1", 0);
  REQUIRE(silent);
  TargetOptions target;
  target.device = "127.0.0.1:" + std::to_string((*silent)->port());
  target.transport = Transport::tcp;
  auto opening = at.host.loop.start(at.supervisor->open(target));
  at.changes();
  REQUIRE(at.events);
  CHECK_FALSE(opening->done());
  const auto began = at.time.elapsed();
  REQUIRE(at.time.run(at.host.loop, stop_supervisor(at.supervisor.get())));
  CHECK(at.time.elapsed() - began < 1s);
  at.supervisor.reset();
  at.host.loop.settle();
  REQUIRE(opening->done());
  CHECK(opening->result().error().code() == errc::cancelled);
  REQUIRE(at.events->done());
  CHECK(at.events->result().error().code() == errc::cancelled);
}

TEST_CASE("supervisor: of several phones the ones that do not open count, the others are let go",
          "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd first(at.host.loop);
  FakeAdbd second(at.host.loop);
  for (FakeAdbd* phone : {&first, &second}) phone->answers(kWho, shell_output("\n\n"));
  first.answers(kWho, shell_output("SN-1\nboot-1\n"));
  at.host.usb.plug("usb:1-2", "SN-1", &first);
  at.host.usb.plug("usb:1-3", "SN-2", &second);
  at.start();
  at.changes_after(500ms);
  Result<std::shared_ptr<adbproto::Device>> used = nullptr;
  const bool in_use = GENERATE(false, true);
  if (in_use) used = at.open("SN-1");
  at.host.usb.refuses("usb:1-3", Error(errc::usb_busy, "held by scrcpy"));
  const auto opened = at.time.run(at.host.loop, at.supervisor->open({}));
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code() == errc::multiple_devices_device_id_required);
  at.host.loop.settle();
  CHECK(first.links() == (in_use ? 1U : 0U));
  CHECK(at.open("SN-1"));
}

TEST_CASE("supervisor: a server that sends no list holds up the phones on USB for seconds only",
          "[loopback]") {
  SupervisorBench at;
  at.host.server.answers("host:track-devices-l", "OKAY", After::is_silent);
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.start();
  CHECK_THAT(at.changes_after(6s), Catch::EndsWith("~usb:SN-1"));
}

TEST_CASE(
    "supervisor: a phone that leaves while it is looked at is gone at once, and new when back",
    "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.start();
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.usb.mutes("usb:1-2");
  CHECK(at.changes_after(500ms) == "+usb:SN-1(connecting)");
  at.host.usb.unplug("usb:1-2");
  CHECK(at.changes_after(50ms) == "-usb:SN-1(connecting)");
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  CHECK_THAT(at.changes_after(500ms), Catch::EndsWith("~usb:SN-1"));
}

TEST_CASE("supervisor: a phone that says nothing is reset only for who wants that one",
          "[loopback]") {
  SupervisorBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.usb.mutes("usb:1-2");
  at.start();
  at.changes_after(20s);
  CHECK(at.host.usb.resets() == 0);
  CHECK(at.open("SN-2").error().code() == errc::device_not_found);
  const auto unnamed = at.time.run(at.host.loop, at.supervisor->open(TargetOptions{}));
  CHECK_FALSE(unnamed);
  CHECK(at.host.usb.resets() == 0);
  CHECK(at.open("SN-1"));
  CHECK(at.host.usb.resets() == 1);
  at.changes_after(1s);
  CHECK(at.open("SN-1"));
}
