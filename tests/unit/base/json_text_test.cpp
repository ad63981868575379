#include "base/json_text.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "base/error_members.hpp"

using namespace clawperator;
using namespace std::string_view_literals;

TEST_CASE("json text: strings are escaped as JSON.stringify does", "[contract]") {
  struct Case {
    const char* name;
    std::string_view text;
    std::string_view json;
  };
  const auto [name, text, json] = GENERATE(values<Case>({
      {"plain", "abc", R"("abc")"},
      {"empty", "", R"("")"},
      {"quote and backslash", R"(a"b\c)", R"("a\"b\\c")"},
      {"short escapes", "\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {"other controls", "\0\x01\x1f"sv, R"("\u0000\u0001\u001f")"},
      {"slash and DEL stay", "/\x7f", "\"/\x7f\""},
      {"two, three, four bytes", "\u00e9\u20ac\U0001F600", "\"\u00e9\u20ac\U0001F600\""},
      {"line separators stay", "\u2028\u2029", "\"\u2028\u2029\""},
      {"C1 controls are escaped [S6]", "a\u0080\u009bz", R"("a\u0080\u009bz")"},
      {"bidi controls are escaped [S6]", "\u061c\u200e\u202e\u2069",
       R"("\u061c\u200e\u202e\u2069")"},
      {"their neighbours stay", "\u00a0\u200d\u202f\u2065", "\"\u00a0\u200d\u202f\u2065\""},
      {"stray continuation", "a\x80z", "\"a\ufffdz\""},
      {"cut sequence", "\xe2\x82", "\"\ufffd\ufffd\""},
      {"cut before ASCII", "\xf0\x9f\x98!", "\"\ufffd\ufffd\ufffd!\""},
      {"overlong", "\xc0\xaf", "\"\ufffd\ufffd\""},
      {"overlong three bytes", "\xe0\x80\xaf", "\"\ufffd\ufffd\ufffd\""},
      {"surrogate", "\xed\xa0\x80", "\"\ufffd\ufffd\ufffd\""},
      {"beyond U+10FFFF", "\xf4\x90\x80\x80", "\"\ufffd\ufffd\ufffd\ufffd\""},
      {"no UTF-8 byte", "\xff\xfe", "\"\ufffd\ufffd\""},
  }));
  INFO(name);
  CHECK(quote_json(text) == json);
}

TEST_CASE("json text: numbers are spelled as JavaScript does", "[contract]") {
  struct Case {
    double value;
    const char* json;
  };
  const auto [value, json] = GENERATE(values<Case>({
      {0, "0"},
      {-0.0, "0"},
      {30000, "30000"},
      {-1, "-1"},
      {1000.5, "1000.5"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {123456789012345680000.0, "123456789012345680000"},
      {0.000001, "0.000001"},
      {0.0000001, "1e-7"},
      {-1.25e-7, "-1.25e-7"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {9007199254740993.0, "9007199254740992"},
      {std::numeric_limits<double>::infinity(), "null"},
      {std::numeric_limits<double>::quiet_NaN(), "null"},
  }));
  CHECK(number_json(value) == json);
}

TEST_CASE("json text: an object keeps the order of the calls", "[contract]") {
  const std::vector<std::string> names = {"a", "b\"c"};
  const auto object = JsonObject()
                          .text("z", "x")
                          .number("n", -5)
                          .real("r", 0.5)
                          .boolean("t", true)
                          .null("u")
                          .strings("l", names)
                          .object("o", JsonObject().boolean("f", false))
                          .json("raw", "[1]");
  CHECK(object.str() ==
        R"({"z":"x","n":-5,"r":0.5,"t":true,"u":null,"l":["a","b\"c"],"o":{"f":false},"raw":[1]})");
  CHECK(JsonObject().str() == "{}");
  CHECK(JsonObject().empty());
  CHECK(strings_json({}) == "[]");
}

TEST_CASE("json text: a list has what each becomes; a text may be absent", "[contract]") {
  const std::vector<int> numbers = {1, 2};
  const auto object = [](int n) { return JsonObject().number("n", n).boolean("t", true); };
  CHECK(list_json(numbers, object) == R"([{"n":1,"t":true},{"n":2,"t":true}])");
  CHECK(list_json(numbers, [](int n) { return std::to_string(n); }) == "[1,2]");
  CHECK(list_json(std::vector<int>(), object) == "[]");
  CHECK(JsonObject().text_or_null("a", "x").text_or_null("b", std::nullopt).str() ==
        R"({"a":"x","b":null})");
}

TEST_CASE("json text: the members of an error are its hint and its details", "[contract]") {
  const auto details = ErrorMembers().number("pid", 7);
  CHECK(hint_and_details("wait", details) == R"({"hint":"wait","details":{"pid":7}})");
  const Error error = fail_with(errc::usage, "no", details).error();
  CHECK(error == Error(errc::usage, "no", R"({"details":{"pid":7}})"));
}
