#include "adbproto/wire/smart_socket.hpp"

#include <catch2/catch.hpp>

using namespace adbproto;

TEST_CASE("device list: short lines are split at the tab", "[wire]") {
  const auto lines = parse_devices(
      "emulator-5554\tdevice\n"
      "adb-ABC-x1 (2)._adb-tls-connect._tcp\toffline\n"
      "0123\tno permissions (user not in plugdev); see [http://x/y]\n"
      "127.0.0.1:5555\tunauthorized\r\n");
  const std::vector<DeviceLine> expected = {
      {.serial = "emulator-5554", .state = "device"},
      {.serial = "adb-ABC-x1 (2)._adb-tls-connect._tcp", .state = "offline"},
      {.serial = "0123", .state = "no permissions (user not in plugdev); see [http://x/y]"},
      {.serial = "127.0.0.1:5555", .state = "unauthorized"},
  };
  REQUIRE(lines);
  CHECK((*lines == expected));
  CHECK(parse_devices("")->empty());
  CHECK(parse_devices("\n")->empty());
}

TEST_CASE("device list: a line that names no device makes the list an error [S10]", "[wire]") {
  for (const std::string_view bad :
       {"\tdevice\n", "serial\t\n", "no tab\n", "a\tdevice\njunk\n", "\xff\xfe\n"}) {
    INFO(bad);
    const auto lines = parse_devices(bad);
    REQUIRE_FALSE(lines);
    CHECK(lines.error().code() == errc::protocol);
  }
  for (const std::string_view bad :
       {"junk\n", "a                      device transport_id:1\n\njunk\n",
        " device transport_id:1\n"}) {
    INFO(bad);
    CHECK_FALSE(parse_devices_long(bad));
  }
}

TEST_CASE("device list: a long line is read from the right", "[wire]") {
  struct Case {
    const char* name;
    std::string_view line;
    DeviceLine parsed;
  };
  const auto [name, line, parsed] = GENERATE(values<Case>({
      {"usb device",
       "0123456789ABCDEF       device usb:1-2.3 product:panther model:Pixel_7 device:panther "
       "transport_id:5",
       {"0123456789ABCDEF", "device", "usb:1-2.3", "panther", "Pixel_7", "panther", 5}},
      {"emulator",
       "emulator-5554          device product:sdk model:sdk_gphone device:emu64 transport_id:1",
       {"emulator-5554", "device", "", "sdk", "sdk_gphone", "emu64", 1}},
      {"tcp device without properties",
       "127.0.0.1:5555         device transport_id:3",
       {"127.0.0.1:5555", "device", "", "", "", "", 3}},
      {"tcp device with properties",
       "127.0.0.1:5555         device product:fake model:Fake device:fake transport_id:3",
       {"127.0.0.1:5555", "device", "", "fake", "Fake", "fake", 3}},
      {"serial with a space",
       "adb-ABC-x1 (2)._adb-tls-connect._tcp device product:p model:m device:d transport_id:12",
       {"adb-ABC-x1 (2)._adb-tls-connect._tcp", "device", "", "p", "m", "d", 12}},
      {"devpath without usb:",
       "0123                   offline 1-2.3 transport_id:7",
       {"0123", "offline", "1-2.3", "", "", "", 7}},
      {"no permissions",
       "0123                   no permissions (user bob is not in the plugdev group); see "
       "[http://developer.android.com/tools/device.html] usb:1-1 transport_id:9",
       {"0123",
        "no permissions (user bob is not in the plugdev group); see "
        "[http://developer.android.com/tools/device.html]",
        "usb:1-1", "", "", "", 9}},
      {"no permissions, unknown serial",
       "????????????           no permissions usb:3-1",
       {"????????????", "no permissions", "usb:3-1", "", "", "", 0}},
      {"unauthorized",
       "0123                   unauthorized usb:1-1 transport_id:2",
       {"0123", "unauthorized", "usb:1-1", "", "", "", 2}},
      {"a state of the future",
       "0123                   hibernating transport_id:2",
       {"0123", "hibernating", "", "", "", "", 2}},
      {"a serial like a state",
       "device                 offline transport_id:2",
       {"device", "offline", "", "", "", "", 2}},
  }));
  INFO(name);
  const auto lines = parse_devices_long(std::string(line) + "\n");
  REQUIRE(lines);
  REQUIRE(lines->size() == 1);
  CHECK((lines->front() == parsed));
}

TEST_CASE("device list: several lines, and empty ones between them", "[wire]") {
  const auto lines = parse_devices_long(
      "a                      device transport_id:1\n\n"
      "b                      offline transport_id:99999999999999999999\n");
  REQUIRE(lines);
  REQUIRE(lines->size() == 2);
  CHECK(lines->at(0).serial == "a");
  CHECK(lines->at(1).serial == "b");
  CHECK(lines->at(1).state == "offline");
}
