#include "runtime/android/system_commands.hpp"
#include "runtime/android/shell_lines.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("system commands: in the words of each release", "[android]") {
  CHECK(rotation_line(29, 1) == "wm set-user-rotation lock 1");
  CHECK(rotation_line(30, std::nullopt) == "wm set-user-rotation free");
  CHECK(rotation_line(31, 3) == "wm user-rotation lock 3");
  CHECK(rotation_line(36, std::nullopt) == "wm user-rotation free");
  CHECK(network_line(28, PhoneNetwork::airplane, true) == std::nullopt);
  CHECK(network_line(29, PhoneNetwork::airplane, true) == "cmd connectivity airplane-mode enable");
  CHECK(network_line(36, PhoneNetwork::airplane, false) ==
        "cmd connectivity airplane-mode disable");
  CHECK(network_line(29, PhoneNetwork::wifi, false) == "svc wifi disable");
  CHECK(network_line(30, PhoneNetwork::wifi, true) == "cmd wifi set-wifi-enabled enabled");
  CHECK(network_line(25, PhoneNetwork::data, true) == "svc data enable");
  CHECK(network_line(36, PhoneNetwork::data, false) == "svc data disable");
}

TEST_CASE("release: two lines, of which a phone may print none") {
  CHECK(parse_release("14\n34\n").release == "14");
  CHECK(parse_release("14\r\n34\r\n").sdk == 34);
  CHECK(parse_release("").sdk == 0);
  CHECK(parse_release("\n\n").release.empty());
  CHECK(parse_release("Baklava\nx\n").sdk == 0);
}
