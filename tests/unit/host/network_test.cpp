#include "runtime/host/verbs/system.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("network: whether the way to the phone hangs on it", "[host]") {
  CHECK(rides_on_network("192.168.1.7:5555", "server"));
  CHECK(rides_on_network("phone.lan:5555", "tcp"));
  CHECK(rides_on_network("[fe80::1]:5555", "tcp"));
  CHECK(rides_on_network("adb-R5CT-AbCdEf._adb-tls-connect._tcp", "server"));
  CHECK(rides_on_network("adb-R5CT-AbCdEf (2)._adb-tls-connect._tcp.", "tcp"));
  CHECK(rides_on_network("192.168.1.7", "tcp"));
  CHECK_FALSE(rides_on_network("R5CT70XYZ", "usb"));
  CHECK_FALSE(rides_on_network("R5CT70XYZ", "server"));
  CHECK_FALSE(rides_on_network("emulator-5554", "server"));
  CHECK_FALSE(rides_on_network("127.0.0.1:5555", "tcp"));
  CHECK_FALSE(rides_on_network("localhost:5555", "server"));
}

TEST_CASE("network: what the settings mean", "[host]") {
  CHECK(network_is_on("1") == true);
  CHECK(network_is_on("2") == true);
  CHECK(network_is_on("0") == false);
  CHECK(network_is_on("3") == false);
  CHECK(network_is_on("null") == std::nullopt);
  CHECK(network_is_on("") == std::nullopt);
}
