#include "adbproto/wire/services.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace adbproto;
using namespace std::string_view_literals;

TEST_CASE("services: names are built as adb writes them", "[wire]") {
  const std::vector<std::string> arguments = {"package", "install", "-S", "12"};
  CHECK(shell_v2_raw("echo hi") == "shell,v2,raw:echo hi");
  CHECK(shell_v1("echo hi") == "shell:echo hi");
  CHECK(exec("screencap -p") == "exec:screencap -p");
  CHECK(abb(arguments) == "abb:package\0install\0-S\00012"sv);
  CHECK(abb_exec(arguments) == "abb_exec:package\0install\0-S\00012"sv);
  CHECK(reverse_forward("tcp:1", "tcp:2", Rebind::yes) == "reverse:forward:tcp:1;tcp:2");
  CHECK(reverse_forward("tcp:1", "tcp:2", Rebind::no) == "reverse:forward:norebind:tcp:1;tcp:2");
  CHECK(reverse_kill("tcp:1") == "reverse:killforward:tcp:1");
  CHECK(reverse_kill_all() == "reverse:killforward-all");
  CHECK(reverse_list() == "reverse:list-forward");
  CHECK(transport_serial("emulator-5554") == "host:transport:emulator-5554");
  CHECK(transport_id(7) == "host:transport-id:7");
  CHECK(host("version") == "host:version");
  CHECK(host_serial("10.0.0.1:5555", "features") == "host-serial:10.0.0.1:5555:features");
  CHECK(host_transport_id(3, "features") == "host-transport-id:3:features");
}

TEST_CASE("services: messages have the name as plain text", "[wire]") {
  CHECK(opening("abb:package\0list\0-f"sv) == "opening abb:package list -f");
  CHECK(opening("shell:echo\n\x7f"sv) == "opening shell:echo");
  CHECK(opening(std::string(100, 'x')).size() == 8 + 64);
}

TEST_CASE("services: a quoted argument means itself to sh", "[wire]") {
  CHECK(quote_for_shell("") == "''");
  CHECK(quote_for_shell("a b") == "'a b'");
  CHECK(quote_for_shell("$HOME `id` \"x\"") == "'$HOME `id` \"x\"'");
  CHECK(quote_for_shell("it's") == R"('it'"'"'s')");
  CHECK(quote_for_shell("'") == R"(''"'"'')");
}

TEST_CASE("services: what crashes or hangs a peer is refused", "[wire]") {
  const auto service = GENERATE(values<std::string_view>({
      "spin",
      "spin:",
      "dev:/dev/null",
      "dev:",
      "dev-raw:/dev/block/x",
      "reverse:",
      "reverse:x",
      "reverse:forward",
      "reverse:forward:",
      "reverse:forward:tcp:1",
      "reverse:forward:;tcp:1",
      "reverse:forward:tcp:1;",
      "reverse:forward:norebind:",
      "reverse:killforward:",
      "reverse:list-forward ",
      "reverse:killforward-alll",
  }));
  INFO(service);
  const auto checked = check_service(service);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().code() == errc::unsupported);
}

TEST_CASE("services: an empty name and a NUL are our caller's mistake", "[wire]") {
  CHECK(check_service("").error().code() == errc::invalid_argument);
  CHECK(check_service("shell:a\0b"sv).error().code() == errc::invalid_argument);
  CHECK(check_service("shell:id\0"sv).error().code() == errc::invalid_argument);
}

TEST_CASE("services: everything else may be opened", "[wire]") {
  const auto service = GENERATE(values<std::string_view>({
      "shell:",
      "shell,v2,raw:id",
      "exec:cat",
      "abb:package\0list"sv,
      "abb_exec:package\0list"sv,
      "sync:",
      "reverse:forward:tcp:1;tcp:2",
      "reverse:forward:norebind:tcp:1;tcp:2",
      "reverse:killforward:tcp:1",
      "reverse:killforward-all",
      "reverse:list-forward",
      "framebuffer:",
      "tcp:8080",
      "spinner",
      "device:x",
      "root:",
  }));
  INFO(service);
  CHECK(check_service(service));
}

TEST_CASE("services: connect succeeds by its two prefixes only", "[wire]") {
  CHECK(parse_connect_reply("connected to 10.0.0.1:5555").value() == "connected to 10.0.0.1:5555");
  CHECK(parse_connect_reply("already connected to x"));
  const auto text = GENERATE(values<std::string_view>({
      "failed to connect to 'x': Connection refused",
      "failed to authenticate to x",
      "empty address",
      "not connected to x",
  }));
  const auto refused = parse_connect_reply(text);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::refused);
  CHECK(refused.error().message() == text);
  CHECK_FALSE(parse_connect_reply("").error().message().empty());
}

TEST_CASE("services: a choice of device is a prefix of host services and a transport switch") {
  struct Row {
    DeviceChoice choice;
    std::string host, transport;
  };
  const auto row = GENERATE(values<Row>({
      {{}, "host:features", "host:transport-any"},
      {{.reach = DeviceReach::usb}, "host-usb:features", "host:transport-usb"},
      {{.reach = DeviceReach::local}, "host-local:features", "host:transport-local"},
      {{.serial = "A:5555"}, "host-serial:A:5555:features", "host:transport:A:5555"},
      {{.transport_id = 7, .serial = "A"}, "host-transport-id:7:features", "host:transport-id:7"},
  }));
  CHECK(host_for(row.choice, "features") == row.host);
  CHECK(transport_for(row.choice) == row.transport);
}

TEST_CASE("services: forwards of a server") {
  CHECK(forward("tcp:0", "localabstract:x", Rebind::yes) == "forward:tcp:0;localabstract:x");
  CHECK(forward("tcp:1", "tcp:2", Rebind::no) == "forward:norebind:tcp:1;tcp:2");
  CHECK(kill_forward("tcp:1") == "killforward:tcp:1");
}

TEST_CASE("services: an abb command that adbd would cut or lose words of is never sent",
          "[wire][R21][R22]") {
  const std::string name = GENERATE(as<std::string>{}, "abb:", "abb_exec:");
  CHECK(check_service(name + std::string(65531, 'x')));
  CHECK(check_service(name + std::string(65532, 'x')).error().code() == errc::limit);
  for (const std::string& words :
       {std::string(), std::string("a\0\0b", 4), std::string("a\0", 2), std::string("\0a", 2)}) {
    CHECK(check_service(name + words).error().code() == errc::invalid_argument);
  }
}
