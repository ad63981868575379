#include "runtime/device/device_row.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/smart_socket.hpp"

using namespace clawperator;

TEST_CASE("device row: a state is known by its name and printed as it came", "[unit]") {
  struct Row {
    const char* text;
    State state;
    bool is_there;
  };
  const auto row = GENERATE(values<Row>({
      {"device", State::device, true},
      {"recovery", State::recovery, true},
      {"host", State::host, true},
      {"offline", State::offline, false},
      {"authorizing", State::authorizing, false},
      {"no permissions", State::no_permissions, false},
      {"no permissions (missing udev rules?); see [http://x]", State::no_permissions, false},
      {"detached", State::detached, false},
      {"announced", State::announced, false},
      {"of a later server", State::unknown, false},
      {"devic", State::unknown, false},
      {"", State::unknown, false},
  }));
  const DeviceState state{std::string_view(row.text)};
  CHECK(state == row.state);
  CHECK(state.text() == row.text);
  CHECK(answers(state) == row.is_there);
  CHECK(state == DeviceState(std::string_view(row.text)));
}

TEST_CASE("device row: what the adb server says of a device", "[unit]") {
  const DeviceRow row = server_row({.serial = "A", .state = "dozing", .devpath = "usb:1-1"});
  CHECK(row.state.text() == "dozing");
  CHECK(row.state != DeviceState(State::unknown));
  CHECK(row.transport == Transport::server);
  CHECK(row.bus_address == "usb:1-1");
  CHECK_FALSE(row.transport_id);
  CHECK(server_row({.serial = "A", .state = "device", .transport_id = 7}).transport_id == 7);
}
