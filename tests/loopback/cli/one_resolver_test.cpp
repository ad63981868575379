// One command, a process that stays and `clawperator adb` find the same phone, or refuse for the
// same reason.

#include "cli/adb/context.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/target_file.hpp"
#include "support/closed_port.hpp"
#include "support/fake_device.hpp"
#include "support/print_result.hpp"
#include "support/supervisor_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

// Two phones that answer on USB or over TCP, as a row of the table places them.
struct World : SupervisorBench {
  Variable server_place{"ADB_SERVER_SOCKET", host.server.spec()};
  FakeAdbd first{host.loop}, second{host.loop};
  ClosedPort closed;
  bool has_server = false;

  World() {
    first.answers(kWho, shell_output("SN-1\nboot-1\n"));
    second.answers(kWho, shell_output("SN-2\nboot-2\n"));
  }
  void plug(const std::string& place, const std::string& serial, FakeAdbd* phone) {
    host.usb.plug(place, serial, phone);
  }
  void connect(const std::string& address) { REQUIRE(run_task(add_target(address))); }
  void serve(const std::vector<std::string>& serials) {
    has_server = true;
    std::vector<std::string> lines;
    for (const std::string& serial : serials) {
      lines.push_back(serial + " device");
      host.server.answers("host-serial:" + serial + ":features", FakeServer::text("shell_v2,cmd"));
      host.server.answers("host:transport:" + serial, "OKAY", After::listens);
    }
    host.server_lists(lines);
    host.server.answers(kWho, "OKAY" + shell_output("SN-3\nboot-3\n"));
  }
  TargetOptions options() {
    if (!has_server) host.server.stop();
    TargetOptions made = host.options();
    made.adb_server.reset();  // named, it is all that adb knows
    made.authorization_limit = {};
    return made;
  }
};

enum class Surface { command, supervisor, adb };

Task<std::string> name(Device* device) {
  CO_TRY(const Identity identity, co_await read_identity(device));
  co_return identity.serialno + " " + identity.boot_id;
}

template <class DevicePtr>
std::string identity_text(World& at, const Result<DevicePtr>& device) {
  if (!device) return std::string(device.error().code()->published);
  return at.time.run(at.host.loop, name(device->get())).value();
}

std::string found_by(Surface surface, World& at, TargetOptions target) {
  auto& loop = at.host.loop;
  if (surface == Surface::command)
    return identity_text(at, at.time.run(loop, resolve_device(target)));
  if (surface == Surface::adb) {
    cli::AdbContext context{.target = std::move(target)};
    return identity_text(at, at.time.run(loop, cli::open_adb_device(&context)));
  }
  at.start({.target = target});
  at.time.advance(loop, 5s);
  return identity_text(at, at.time.run(loop, at.supervisor->open(std::move(target))));
}

struct Row {
  const char* name;
  void (*place)(World& at);
  const char* device;  // null: none is named; "1", "2": the phone's address
  std::string expected;
  std::map<Surface, std::string> but{};  // where one of them says less, or more
};

const std::string kNotFound = "DEVICE_NOT_FOUND";
const std::string kSeveral = "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED";

}  // namespace

TEST_CASE("one resolver: a command, a supervisor and adb find the same phone", "[loopback]") {
  const auto row = GENERATE(values<Row>({
      {"the only one, on USB", [](World& at) { at.plug("usb:1-1", "SN-1", &at.first); }, nullptr,
       "SN-1 boot-1"},
      {"the only one, a target", [](World& at) { at.connect(at.second.address()); }, nullptr,
       "SN-2 boot-2"},
      {"the only one, by a server", [](World& at) { at.serve({"c"}); }, "c", "SN-3 boot-3"},
      {"two, one is named",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.plug("usb:1-2", "SN-2", &at.second);
       },
       "SN-2", "SN-2 boot-2"},
      {"two, none is named",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.plug("usb:1-2", "SN-2", &at.second);
       },
       nullptr, kSeveral},
      {"two, another one is named",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.plug("usb:1-2", "SN-2", &at.second);
       },
       "SN-3", kNotFound},
      {"twins, their serial",
       [](World& at) {
         at.plug("usb:1-1", "0123456789ABCDEF", &at.first);
         at.plug("usb:1-2", "0123456789ABCDEF", &at.second);
       },
       "0123456789ABCDEF", kSeveral},
      {"twins, a place",
       [](World& at) {
         at.plug("usb:1-1", "0123456789ABCDEF", &at.first);
         at.plug("usb:1-2", "0123456789ABCDEF", &at.second);
       },
       "usb:1-2", "SN-2 boot-2"},
      {"one phone by two ways",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.connect(at.first.address());
       },
       nullptr, "SN-1 boot-1"},
      {"two phones by two ways",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.connect(at.second.address());
       },
       nullptr, kSeveral},
      {"a target among others",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.connect(at.second.address());
       },
       "2", "SN-2 boot-2"},
      {"a target where no phone is",
       [](World& at) { at.connect(at.closed.address()); },
       "closed",
       kNotFound,
       {{Surface::adb, "DEVICE_OFFLINE"}}},
      {"held by another program",
       [](World& at) {
         at.plug("usb:1-1", "SN-1", &at.first);
         at.host.usb.refuses("usb:1-1", Error(errc::usb_busy, "held by scrcpy"));
       },
       nullptr, "USB_INTERFACE_BUSY"},
      {"it does not know our key",
       [](World& at) {
         at.first.lets_in(Admission::key);
         at.connect(at.first.address());
       },
       "1", "DEVICE_UNAUTHORIZED"},
  }));
  const auto surface = GENERATE(Surface::command, Surface::supervisor, Surface::adb);
  INFO(row.name << ", surface " << static_cast<int>(surface));
  World at;
  row.place(at);
  TargetOptions target = at.options();
  if (row.device) {
    const std::string device = row.device;
    target.device = device == "1"        ? at.first.address()
                    : device == "2"      ? at.second.address()
                    : device == "closed" ? at.closed.address()
                                         : device;
  }
  const auto other = row.but.find(surface);
  CHECK(found_by(surface, at, target) == (other == row.but.end() ? row.expected : other->second));
}
