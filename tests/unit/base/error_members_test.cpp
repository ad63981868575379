#include "base/error_members.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"

using namespace base;

TEST_CASE("error: its members follow code and message", "[base]") {
  CHECK(to_json(Error(errc::no_devices, "no \"device\"")) ==
        R"({"code":"NO_DEVICES","message":"no \"device\""})");
  CHECK(to_json(Error(errc::usage, "m", ErrorMembers().str())) ==
        R"({"code":"USAGE","message":"m"})");
  const auto details = ErrorMembers().text("path", "a\xff").number("elapsedMs", 12);
  const auto members = ErrorMembers().text("hint", "h").object("details", details).str();
  CHECK(to_json(Error(errc::link_lost, "gone", members)) ==
        "{\"code\":\"LINK_LOST\",\"message\":\"gone\",\"hint\":\"h\","
        "\"details\":{\"path\":\"a\ufffd\",\"elapsedMs\":12}}");
}
