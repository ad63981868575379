#pragma once
// A host with a home of its own, an adb server and a USB bus, all of the test's making.

#include <string>
#include <utility>
#include <vector>

#include "runtime/device/target.hpp"
#include "support/bare_host.hpp"
#include "support/fake_server.hpp"
#include "support/fake_usb.hpp"

namespace adbproto::testing {

// Answered by "serialno\nboot id\n".
inline constexpr const char* kWho =
    "shell,v2,raw:getprop ro.serialno;cat /proc/sys/kernel/random/boot_id 2>/dev/null";

struct DeviceBench {
  BareHost host;
  TempFolder& home = host.home;
  Loop loop;
  FakeServer server{loop};
  FakeUsb usb{loop};

  // Transports 1, 2, ... with these lines: "SERIAL STATE [usb:PLACE]".
  void server_lists(const std::vector<std::string>& lines) {
    std::string list;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string id = std::to_string(i + 1);
      list += lines[i] + " transport_id:" + id + "\n";
      server.answers("host-transport-id:" + id + ":features", FakeServer::text("shell_v2,cmd"));
      server.answers("host:transport-id:" + id, "OKAY", After::listens);
    }
    server.answers("host:devices-l", FakeServer::text(list));
    server.answers("host:track-devices-l", FakeServer::text(list), After::is_silent);
    server.pushes("host:track-devices-l", FakeServer::text(list).substr(4));
  }
  clawperator::TargetOptions options() {
    clawperator::TargetOptions made;
    made.adb_server = server.spec();
    made.surroundings = usb.surroundings();
    return made;
  }
};

}  // namespace adbproto::testing
