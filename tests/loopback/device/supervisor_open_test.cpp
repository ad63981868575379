#include "runtime/device/supervisor/supervisor.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/target_file.hpp"
#include "support/fake_device.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/stream_io.hpp"
#include "support/supervisor_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;
using nlohmann::json;
using SharedDevice = std::shared_ptr<adbproto::Device>;

namespace {

struct OpenBench : SupervisorBench {
  Result<SharedDevice> open_over(Transport transport, const std::string& serial) {
    TargetOptions target;
    target.device = serial;
    target.transport = transport;
    return time.run(host.loop, supervisor->open(target));
  }
};

// Cheap phones of one series, as they were sold.
struct Twins {
  FakeAdbd first;
  FakeAdbd second;

  explicit Twins(OpenBench* at) : first(at->host.loop), second(at->host.loop) {
    at->host.usb.plug("usb:1-1", "0123456789ABCDEF", &first);
    at->host.usb.plug("usb:1-2", "0123456789ABCDEF", &second);
  }
  void say(const std::string& one, const std::string& other) {
    first.answers(kWho, shell_output(one));
    second.answers(kWho, shell_output(other));
  }
};

Task<void> answer_at(adbproto::ListenerPtr listener, FakeAdbd* phone) {
  for (;;) {
    CO_TRY(auto link, co_await listener->accept());
    phone->attach(std::move(link));
  }
}

}  // namespace

TEST_CASE("supervisor: twins on USB are two phones, whatever they say of themselves",
          "[loopback]") {
  struct Row {
    const char* name;
    const char* first;
    const char* second;
  };
  const auto row = GENERATE(values<Row>({
      {"the same serial number", "0123456789ABCDEF\nboot-1\n", "0123456789ABCDEF\nboot-2\n"},
      {"the same serial number, no boot", "0123456789ABCDEF\n\n", "0123456789ABCDEF\n\n"},
      {"serial numbers of their own", "SN-1\nboot-1\n", "SN-2\nboot-2\n"},
      {"only a boot", "\nboot-1\n", "\nboot-2\n"},
      {"nothing", "\n\n", "\n\n"},
  }));
  INFO(row.name);
  OpenBench at;
  at.host.server.stop();
  Twins twins(&at);
  twins.say(row.first, row.second);
  at.start();
  at.changes_after(500ms);
  const auto several = at.time.run(at.host.loop, at.supervisor->open({}));
  REQUIRE_FALSE(several);
  CHECK(several.error().code() == errc::multiple_devices_device_id_required);
  CHECK(json::parse(several.error().members())["details"]["devices"] ==
        json::array({"usb:1-1", "usb:1-2"}));
  const auto first = at.open("usb:1-1");
  const auto second = at.open("usb:1-2");
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first != *second);
}

TEST_CASE("supervisor: who answered is remembered by the place, through a server, too",
          "[loopback]") {
  OpenBench at;
  at.host.server_lists({"A device usb:1-1", "A device usb:1-2"});
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-1\nboot-1\n"));
  at.start();
  REQUIRE(at.open("usb:1-1"));
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-2\nboot-2\n"));
  REQUIRE(at.open("usb:1-2"));
  at.host.server_lists({});
  at.changes();
  at.host.server_lists({"A device usb:1-2", "A device usb:1-1"});  // other transport ids
  CHECK(at.open("usb:1-1").error().code() == errc::device_identity_changed);
  CHECK(at.open("usb:1-2"));
}

TEST_CASE("supervisor: another phone on the same socket gets no work, by any route", "[loopback]") {
  OpenBench at;
  FakeAdbd phone(at.host.loop);
  phone.answers(kWho, shell_output("SN-2\nboot-2\n"));
  at.host.usb.plug("usb:1-1", "A", &phone);
  at.host.server_lists({"A device 1-1"});
  at.host.server.answers(kWho, "OKAY" + shell_output("SN-1\nboot-1\n"));
  at.start();
  REQUIRE(at.open("A"));
  at.host.server.stop();
  at.changes_after(1s);
  CHECK(at.open("A").error().code() == errc::device_identity_changed);
}

TEST_CASE("supervisor: a phone that the server has but cannot use yet is named with its state",
          "[loopback]") {
  const std::string state = GENERATE("unauthorized", "offline");
  OpenBench at;
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.server_lists({"SN-1 " + state + " usb:1-2"});
  at.start();
  at.changes_after(1s);
  const auto through_any = at.open("SN-1");
  REQUIRE_FALSE(through_any);
  CHECK(through_any.error().code() == errc::device_not_found);
  CHECK(json::parse(through_any.error().members())["details"]["state"] == state);
  const auto by_usb = at.open_over(Transport::usb, "SN-1");
  REQUIRE_FALSE(by_usb);
  CHECK(by_usb.error() ==
        Error(errc::usb_busy, "held by the adb server at " + at.host.server.spec()));
}

TEST_CASE("supervisor: a phone that the server may not open is reached by USB", "[loopback]") {
  OpenBench at;
  FakeAdbd phone(at.host.loop);
  at.host.usb.plug("usb:1-2", "SN-1", &phone);
  at.host.server_lists({"SN-1 no permissions (missing udev rules?); see [http://x] usb:1-2"});
  const bool names_it = GENERATE(true, false);
  if (names_it) {
    at.start();
    at.changes_after(1s);
    const auto device = at.open("SN-1");
    REQUIRE(device);
    CHECK((*device)->route() == "usb");
  } else {
    const auto device = at.time.run(at.host.loop, resolve_device(at.host.options()));
    REQUIRE(device);
    CHECK((*device)->route() == "usb");
  }
}

TEST_CASE("supervisor: an address that is waited for is dialled at once when somebody asks",
          "[loopback]") {
  OpenBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  std::uint16_t port = 0;
  {
    const auto free = adbproto::listen_tcp(at.host.loop.executor(), "127.0.0.1", 0);
    REQUIRE(free);
    port = (*free)->port();
  }
  const std::string address = "127.0.0.1:" + std::to_string(port);
  REQUIRE(run_task(add_target(address)));
  at.start();
  at.changes_after(20s);
  auto listener = adbproto::listen_tcp(at.host.loop.executor(), "127.0.0.1", port);
  REQUIRE(listener);
  const auto answering = at.host.loop.start(answer_at(*std::move(listener), &phone));
  TargetOptions target;
  target.device = address;
  target.transport = Transport::tcp;
  const auto began = at.time.elapsed();
  const auto opening = at.host.loop.start(at.supervisor->open(target));
  CHECK(at.time.finish(at.host.loop, opening, 1ms));
  CHECK(at.time.elapsed() - began < 1s);  // tries by itself are 3 s apart
  answering->cancel();
  at.host.loop.settle();
}

TEST_CASE("supervisor: a caller waits for a phone that is in its first try", "[loopback]") {
  OpenBench at;
  at.host.server.stop();
  FakeAdbd phone(at.host.loop);
  at.start();
  at.changes();
  auto listener = adbproto::listen_tcp(at.host.loop.executor(), "127.0.0.1", 0);
  REQUIRE(listener);
  REQUIRE(run_task(add_target("127.0.0.1:" + std::to_string((*listener)->port()))));
  REQUIRE_THAT(at.changes_after(50ms), Catch::EndsWith("(connecting)"));
  const auto opening = at.host.loop.start(at.supervisor->open({}));
  at.changes_after(3s);
  CHECK_FALSE(opening->done());
  const auto answering = at.host.loop.start(answer_at(*std::move(listener), &phone));
  CHECK(at.time.finish(at.host.loop, opening, 1ms));
  answering->cancel();
  at.host.loop.settle();
}

TEST_CASE("supervisor: links that were only asked for are bounded, the last ones stay",
          "[loopback]") {
  constexpr std::size_t kKept = 64;
  OpenBench at;
  at.host.server.stop();
  at.start();
  std::vector<std::unique_ptr<FakeAdbd>> phones;
  for (std::size_t i = 0; i < kKept; ++i) {
    phones.push_back(std::make_unique<FakeAdbd>(at.host.loop));
    REQUIRE(at.open_over(Transport::tcp, phones.back()->address()));
  }
  CHECK(at.supervisor->rows().size() == kKept);
  REQUIRE(at.open(phones.front()->address()));
  FakeAdbd one_more(at.host.loop);
  REQUIRE(at.open_over(Transport::tcp, one_more.address()));
  at.host.loop.settle();
  CHECK(at.supervisor->rows().size() == kKept);
  CHECK(phones[0]->links() == 1);
  CHECK(phones[1]->links() == 0);
}

TEST_CASE("supervisor: a requested address is not forgotten while it does not answer",
          "[loopback]") {
  OpenBench at;
  at.host.server.stop();
  auto phone = std::make_unique<FakeAdbd>(at.host.loop);
  FakeAdbd other(at.host.loop);
  phone->answers(kWho, shell_output("SN-1\nboot-1\n"));
  other.answers(kWho, shell_output("SN-2\nboot-2\n"));
  const std::string address = phone->address();
  at.start();
  REQUIRE(at.open_over(Transport::tcp, address));
  phone->drop_links();
  at.host.loop.settle();
  phone.reset();
  CHECK(at.open_over(Transport::tcp, address).error().code() == errc::device_not_found);
  const auto port = adbproto::parse_device_address(address)->port;
  auto listener = adbproto::listen_tcp(at.host.loop.executor(), "127.0.0.1", port);
  REQUIRE(listener);
  const auto answering = at.host.loop.start(answer_at(*std::move(listener), &other));
  CHECK(at.open_over(Transport::tcp, address).error().code() == errc::device_identity_changed);
  answering->cancel();
  at.host.loop.settle();
}
