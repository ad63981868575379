#include "runtime/host/verbs/system.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("battery: as the phone prints it", "[host]") {
  const auto battery = parse_battery(
      "Current Battery Service state:\r\n"
      "  (UPDATES STOPPED -- use 'reset' to restart)\r\n"
      "  AC powered: true\r\n  USB powered: false\r\n  Wireless powered: true\r\n"
      "  Max charging current: 0\r\n  status: 5\r\n  health: 3\r\n  present: true\r\n"
      "  level: 60\r\n  scale: 120\r\n  voltage: 4100\r\n  temperature: -35\r\n"
      "  technology: Li-poly\r\n");
  REQUIRE(battery);
  CHECK(battery->percent == 50);
  CHECK(battery->status == "full");
  CHECK(battery->health == "overheat");
  CHECK(battery->plugged == std::vector<std::string>{"ac", "wireless"});
  CHECK(battery->celsius == -3.5);
  CHECK(battery->millivolts == 4100);
  CHECK(battery->frozen);
}

TEST_CASE("battery: missing values, and impossible ones", "[host]") {
  const auto bare = parse_battery("  level: 7\n  status: 9\n");
  REQUIRE(bare);
  CHECK(bare->percent == 7);
  CHECK(bare->status == "unknown");
  CHECK(bare->plugged.empty());
  CHECK_FALSE(bare->celsius);
  CHECK_FALSE(bare->frozen);
  for (const char* text : {"", "Can't find service: battery\n", "  level: -1\n", "  level: x\n",
                           "  level: 101\n", "  level: 1\n  scale: 0\n"}) {
    INFO(text);
    CHECK_FALSE(parse_battery(text));
  }
}
