#include "runtime/android/redacted_service.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace std::string_view_literals;

TEST_CASE("redacted service: a broadcast's payload is cut out on every rung", "[unit]") {
  CHECK(redacted_service("abb:activity\0broadcast\0-a\0x\0--es\0payload\0{secret}"sv) ==
        "abb:activity broadcast -a x --es payload [REDACTED]");
  CHECK(redacted_service("shell,v2,raw:cmd activity 'broadcast' '-a' 'x' '--es' 'payload' '{s}'") ==
        "shell,v2,raw:cmd activity 'broadcast' '-a' 'x' --es payload [REDACTED]");
}

TEST_CASE("redacted service: everything else stays", "[unit]") {
  CHECK(redacted_service("shell,v2,raw:wm size") == "shell,v2,raw:wm size");
  CHECK(redacted_service("") == "");
}
