#include "base/async/name_lookup.hpp"

#include <catch2/catch.hpp>
#include <string>

using adbproto::is_loopback;

TEST_CASE("loopback: addresses that only this computer reaches, and its name") {
  const auto host = GENERATE(as<std::string>{}, "localhost", "127.0.0.1", "127.255.0.9", "::1",
                             "[::1]", "0:0:0:0:0:0:0:1");
  CHECK(is_loopback(host));
}

TEST_CASE("loopback: nothing that may be another, or that only looks alike") {
  const auto host =
      GENERATE(as<std::string>{}, "", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.evil.example",
               "localhost.evil.example", "127.1", "0x7f.0.0.1", "127.0.0.1 ", "[127.0.0.1", "[::1",
               "::ffff:10.0.0.1", "LOCALHOST.");
  CHECK_FALSE(is_loopback(host));
}
