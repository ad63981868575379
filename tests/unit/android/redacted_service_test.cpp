#include "runtime/android/service_command.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace std::string_view_literals;

TEST_CASE("redacted service: a broadcast's payload is cut out on every rung", "[unit]") {
  CHECK(redacted_service("abb:activity\0broadcast\0-a\0x\0--es\0payload\0{secret}"sv) ==
        "abb:activity broadcast -a x --es payload [REDACTED]");
  CHECK(redacted_service("shell,v2,raw:cmd activity 'broadcast' '-a' 'x' '--es' 'payload' '{s}'") ==
        "shell,v2,raw:cmd activity 'broadcast' '-a' 'x' --es payload [REDACTED]");
}

TEST_CASE("redacted service: so are a text that is typed and a URI that is opened", "[unit]") {
  CHECK(redacted_service("abb:input\0text\0secret"sv) == "abb:input text [REDACTED]");
  CHECK(redacted_service("shell,v2,raw:cmd input 'text' 'secret'") ==
        "shell,v2,raw:cmd input text [REDACTED]");
  CHECK(redacted_service("shell:input 'text' 'se%scret'; echo 'x'") ==
        "shell:input text [REDACTED]");
  CHECK(redacted_service("abb:activity\0start\0-W\0-a\0android.intent.action.VIEW\0-d\0a:b"sv) ==
        "abb:activity start -W -a android.intent.action.VIEW -d [REDACTED]");
  CHECK(redacted_service("shell,v2,raw:am 'start' '-a' 'android.intent.action.VIEW' '-d' 'a:b'") ==
        "shell,v2,raw:am 'start' '-a' 'android.intent.action.VIEW' -d [REDACTED]");
}

TEST_CASE("redacted service: everything else stays", "[unit]") {
  CHECK(redacted_service("shell,v2,raw:wm size") == "shell,v2,raw:wm size");
  CHECK(redacted_service("shell,v2,raw:cmd input 'tap' '1' '2'") ==
        "shell,v2,raw:cmd input 'tap' '1' '2'");
  CHECK(redacted_service("") == "");
}
