#pragma once
// A host with a home of its own, an adb server and a USB bus, all of the test's making.

#include <string>
#include <utility>
#include <vector>

#include "runtime/device/target.hpp"
#include "support/fake_server.hpp"
#include "support/fake_usb.hpp"
#include "support/temp_folder.hpp"

namespace adbproto::testing {

inline constexpr const char* kGetSerialNumber = "shell,v2,raw:getprop ro.serialno";

struct DeviceBench {
  TempFolder home;
  Variable variables[7] = {{"HOME", home.path().string()},
                           {"ANDROID_SERIAL", std::nullopt},
                           {"ADB_SERVER_SOCKET", std::nullopt},
                           {"ANDROID_ADB_SERVER_ADDRESS", std::nullopt},
                           {"ANDROID_ADB_SERVER_PORT", std::nullopt},
                           {"ADB_PATH", std::nullopt},
                           {"PATH", "/nowhere"}};
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
