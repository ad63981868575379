#include "adbproto/client/server_address.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "support/print_result.hpp"

using namespace adbproto;

TEST_CASE("server address: the spellings adb accepts", "[loopback]") {
  struct Row {
    const char* spec;
    ServerAddress address;
    const char* printed;
  };
  const auto row = GENERATE(values<Row>({
      {"tcp:5038", {"127.0.0.1", 5038, ""}, "tcp:127.0.0.1:5038"},
      {"5038", {"127.0.0.1", 5038, ""}, "tcp:127.0.0.1:5038"},
      {"tcp:10.0.0.2:5037", {"10.0.0.2", 5037, ""}, "tcp:10.0.0.2:5037"},
      {"build.lan:5037", {"build.lan", 5037, ""}, "tcp:build.lan:5037"},
      {"tcp:[::1]:5037", {"::1", 5037, ""}, "tcp:[::1]:5037"},
      {"[::1]:1", {"::1", 1, ""}, "tcp:[::1]:1"},
      {"tcp:localhost:65535", {"localhost", 65535, ""}, "tcp:localhost:65535"},
      {"localfilesystem:/run/adb", {"127.0.0.1", 5037, "/run/adb"}, "localfilesystem:/run/adb"},
  }));
  INFO(row.spec);
  const auto address = parse_server_address(row.spec);
  REQUIRE(address);
  CHECK(*address == row.address);
  CHECK(address->to_string() == row.printed);
  CHECK(parse_server_address(address->to_string()) == *address);
}

TEST_CASE("server address: what is none is refused by name", "[loopback]") {
  const std::string spec =
      GENERATE("", "tcp:", "tcp:0", "tcp:65536", "tcp:-1", "tcp:host:", "tcp:host:x", "tcp::5037",
               "host", "a:b:c", "tcp:[::1", "tcp:[::1]", "tcp:[::1]5037", "tcp:[]:1", "tcp:a b:1",
               "localfilesystem:", "tcp:5037 ", "tcp:1:2:3", "tcp:host/x:1");
  INFO(spec);
  const auto address = parse_server_address(spec);
  REQUIRE_FALSE(address);
  CHECK(address.error().code() == errc::invalid_argument);
  CHECK_THAT(address.error().message(), Catch::Contains("'" + spec + "'"));
}

TEST_CASE("server address: the flag wins over the socket variable, that over the older two",
          "[loopback]") {
  using Variables = std::map<std::string, std::string>;
  struct Row {
    const char* name;
    std::optional<std::string> flag;
    Variables variables;
    std::string printed;  // empty: refused
  };
  const auto row = GENERATE(values<Row>({
      {"nothing said", {}, {}, "tcp:127.0.0.1:5037"},
      {"flag", "tcp:1", {{"ADB_SERVER_SOCKET", "tcp:2"}}, "tcp:127.0.0.1:1"},
      {"socket",
       {},
       {{"ADB_SERVER_SOCKET", "tcp:h:2"}, {"ANDROID_ADB_SERVER_PORT", "3"}},
       "tcp:h:2"},
      {"port", {}, {{"ANDROID_ADB_SERVER_PORT", "3"}}, "tcp:127.0.0.1:3"},
      {"address", {}, {{"ANDROID_ADB_SERVER_ADDRESS", "h"}}, "tcp:h:5037"},
      {"both older",
       {},
       {{"ANDROID_ADB_SERVER_ADDRESS", "h"}, {"ANDROID_ADB_SERVER_PORT", "3"}},
       "tcp:h:3"},
      {"empty counts as unset",
       {},
       {{"ADB_SERVER_SOCKET", ""}, {"ANDROID_ADB_SERVER_PORT", ""}},
       "tcp:127.0.0.1:5037"},
      {"broken flag", "x", {}, ""},
      {"broken socket", {}, {{"ADB_SERVER_SOCKET", "localabstract:adb"}}, ""},
      {"broken port", {}, {{"ANDROID_ADB_SERVER_PORT", "adb"}}, ""},
  }));
  INFO(row.name);
  const auto address =
      choose_server_address(row.flag, [&](const char* name) -> std::optional<std::string> {
        const auto at = row.variables.find(name);
        return at == row.variables.end() ? std::nullopt : std::optional(at->second);
      });
  if (row.printed.empty()) {
    REQUIRE_FALSE(address);
    CHECK(address.error().code() == errc::invalid_argument);
  } else {
    REQUIRE(address);
    CHECK(address->to_string() == row.printed);
  }
}

TEST_CASE("device address: host and port, 5555 when there is none", "[loopback]") {
  struct Row {
    const char* text;
    std::string printed;  // empty: refused
  };
  const auto row = GENERATE(values<Row>({
      {"192.168.1.5", "192.168.1.5:5555"},
      {"192.168.1.5:5556", "192.168.1.5:5556"},
      {"phone.lan:1", "phone.lan:1"},
      {"[fe80::1]:5", "[fe80::1]:5"},
      {"[fe80::1]", "[fe80::1]:5555"},
      {"", ""},
      {":5555", ""},
      {"host:", ""},
      {"host:0", ""},
      {"host:65536", ""},
      {"a:b:c", ""},
      {"[fe80::1", ""},
      {"two words:5", ""},
  }));
  INFO(row.text);
  const auto address = parse_device_address(row.text);
  if (row.printed.empty()) {
    REQUIRE_FALSE(address);
    CHECK(address.error().code() == errc::invalid_argument);
  } else {
    REQUIRE(address);
    CHECK(address->to_string() == row.printed);
  }
}
