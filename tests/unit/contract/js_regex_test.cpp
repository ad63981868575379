#include "runtime/contract/js_regex.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace clawperator;

TEST_CASE("js regex: what new RegExp accepts", "[contract]") {
  const char* pattern = GENERATE(values<const char*>({
      "",
      "a",
      "^a$",
      "a|b",
      "|",
      "()",
      "(?:)",
      "a*",
      "a+?",
      "a??",
      "a{2}",
      "a{2,}?",
      "a{2,3}",
      "{",
      "}",
      "]",
      "a{",
      "a{,3}",
      "a{x}",
      "{,}",
      "[]",
      "[^]",
      "[a-z]",
      "[z]",
      "[-a]",
      "[a-]",
      "[\\d-z]",
      "[a-\\w]",
      "[\\b]",
      "[\\]]",
      "[[]",
      "[\\c]",
      "[\\cA-Z]",
      "(?=a)*",
      "(?!a)+",
      "(?<=a)b",
      "(?<!a)b",
      "(?<year>\\d{4})-\\k<year>",
      "\\k<year>",
      "\\k",
      "\\1",
      "(a)\\2",
      "\\u{12}",
      "\\x4",
      "\\c",
      "\\cA",
      "\\p{L}",
      "\\B",
      "\\-",
      "\u00e9+",
      "[\u00e9-\u00ff]",
      "\U0001F600+",
      "(?<\u00e9t\u00e9>a)",
      "(?<$a1>b)",
      "a{99999999999}",
      "\\/",
      ".",
      "[\\ud83c-\\udfff]",
      "[\\N\\B]",
      "(\\Q)",
      "\\Q[a]\\E",
      "\\N{x}",
      "\\c1",
      "[:a:]",
      "[[.a.]]",
      "(?<=a*)b",
      "(?<a$>b)",
      "\\8",
      "[(?i)]",
      "[](?:a)",
      "\\(?i",
      "[\\](*F)]",
  }));
  INFO(pattern);
  CHECK(is_js_regex(pattern));
}

TEST_CASE("js regex: what new RegExp refuses", "[contract]") {
  const char* pattern = GENERATE(values<const char*>({
      "(",         ")",       "a)",     "(a",       "[",         "[a",      "[^",
      "[a-",       "[\\",     "\\",     "a\\",      "*",         "+a",      "?",
      "a**",       "a{2}{3}", "^*",     "$+",       "\\b*",      "(*)",     "|*",
      "(?:*",      "{2}",     "a{3,2}", "[z-a]",    "[\\x7a-a]", "[b-\\b]", "(?a)",
      "(?i)a",     "(?i:a)",  "(?",     "(?>a)",    "(?#c)",     "(?|a)",   "(?1)",
      "(?R)",      "(?(1)a)", "(?C1)",  "(?P<a>b)", "a(*F)",     "(*UTF)",  "(*ACCEPTED)",
      "\\Q(",      "\\\\\\",  "[\\c",   "(?<a",     "(?<>a)",    "(?<1>a)", "(?<a>x)(?<a>y)",
      "(?<a-b>x)",
  }));
  INFO(pattern);
  CHECK_FALSE(is_js_regex(pattern));
}

TEST_CASE("js regex: what new RegExp refuses and the app has to", "[contract]") {
  const char* pattern = GENERATE(values<const char*>({
      "a*+",
      "(?<=a)*",
      "(?<!a)?",
      "[\U0001F600-\U0001F601]",
      "(?<a>x)\\k",
      "(?<a>x)\\k<b>",
      "(?<a>x)[\\k]",
      "[\\d-z](",
  }));
  INFO(pattern);
  CHECK(is_js_regex(pattern));
}

TEST_CASE("js regex: a pattern that is too deep or too long is left to the app", "[contract]") {
  const auto opened = [](std::size_t depth) { return std::string(depth, '('); };
  CHECK_FALSE(is_js_regex(opened(250)));
  CHECK(is_js_regex(opened(250) + std::string(250, ')')));
  CHECK(is_js_regex(opened(300)));
  CHECK(is_js_regex(opened(500000)));
  CHECK_FALSE(is_js_regex(std::string(4095, 'a') + "("));
  CHECK(is_js_regex(std::string(4096, 'a') + "("));
}
