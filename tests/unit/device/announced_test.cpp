#include "runtime/device/discovery/announced.hpp"

#include <catch2/catch.hpp>

#include "runtime/device/target_file.hpp"

using namespace clawperator;

TEST_CASE("announced: whose name an instance bears", "[device]") {
  constexpr const char* kName = "adb-SN1-abcdef";
  const std::string instance =
      GENERATE("adb-SN1-abcdef", "adb-SN1-abcdef (2)", "adb-SN1-abcdef (12)");
  CHECK(is_announced_as(instance, kName));
  const std::string other =
      GENERATE("adb-SN1", "adb-SN1-abcdefg", "adb-SN1-abcdef ()", "adb-SN1-abcdef (2",
               "adb-SN1-abcdef 2)", "adb-SN1-abcdef (2) ", "adb-SN1-abcdef (x)", "");
  INFO(other);
  CHECK_FALSE(is_announced_as(other, kName));
}

TEST_CASE("announced: what is a name, and what is none", "[device]") {
  CHECK(instance_name("adb-SN1-abcdef") == "adb-SN1-abcdef");
  CHECK(instance_name("adb-SN1-abcdef._adb-tls-connect._tcp") == "adb-SN1-abcdef");
  CHECK(instance_name("studio-x._adb-tls-connect._tcp") == "studio-x");
  const char* const none = GENERATE("", "adb-", "._adb-tls-connect._tcp",
                                    "adb-._adb-tls-connect._tcp", "adb-host:5555", "10.0.0.1");
  INFO(none);
  CHECK_FALSE(instance_name(none));
}
