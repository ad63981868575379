#include "adbproto/wire/services.hpp"

#include <catch2/catch.hpp>

using namespace adbproto;

TEST_CASE("socket spec: every kind that this host has") {
  using Kind = SocketSpec::Kind;
  struct Row {
    std::string text;
    SocketSpec spec;
  };
  const auto row = GENERATE(values<Row>({
      {"tcp:0", {}},
      {"tcp:8080", {.port = 8080}},
      {"tcp:65535", {.port = 65535}},
      {"tcp:far.example:80", {.host = "far.example", .port = 80}},
      {"tcp:[fe80::1]:80", {.host = "fe80::1", .port = 80}},
      {"localabstract:scrcpy", {.kind = Kind::local, .path = std::string("\0scrcpy", 7)}},
      {"localfilesystem:/tmp/x:y", {.kind = Kind::local, .path = "/tmp/x:y"}},
  }));
  CAPTURE(row.text);
  const auto spec = parse_socket_spec(row.text);
  REQUIRE(spec);
  CHECK(*spec == row.spec);
}

TEST_CASE("socket spec: what is no socket of this host") {
  const auto text = GENERATE(as<std::string>{}, "", "tcp", "tcp:", "tcp:x", "tcp:1x", "tcp:65536",
                             "tcp:-1", "tcp::80", "tcp:a:b:80", "tcp:[]:80", "tcp:host:", "foo:1",
                             "localabstract:", "localfilesystem:", "localreserved:x", "jdwp:1",
                             "dev:/dev/null", std::string("localabstract:a\0b", 17));
  CAPTURE(text);
  const auto spec = parse_socket_spec(text);
  REQUIRE_FALSE(spec);
  CHECK(spec.error().code() == errc::invalid_argument);
}

TEST_CASE("socket spec: the words are adb's") {
  CHECK(parse_socket_spec("foo:1").error().message() == "unknown socket specification: foo:1");
  CHECK(parse_socket_spec("tcp:1x").error().message() == "Invalid source port: '1x'");
}
