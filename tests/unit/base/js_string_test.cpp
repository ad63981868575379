#include "base/js_string.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("js string: UTF-16 as JavaScript has it", "[contract]") {
  CHECK(to_utf16("a\u00e9\u20ac\U0001F600") == u"a\u00e9\u20ac\U0001F600");
}

TEST_CASE("js string: trim takes Unicode white space", "[contract]") {
  CHECK(trim_js(
            " \t\n\v\f\r\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeffx y\u3000 ") ==
        "x y");
  CHECK(trim_js("\u200bx") == "\u200bx");
  CHECK(trim_js("") == "");
  CHECK(is_blank("\u00a0 \n"));
  CHECK_FALSE(is_blank(" . "));
}
