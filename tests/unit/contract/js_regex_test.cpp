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
  }));
  INFO(pattern);
  CHECK(is_js_regex(pattern));
}

TEST_CASE("js regex: what new RegExp refuses", "[contract]") {
  const char* pattern = GENERATE(values<const char*>({
      "(",
      ")",
      "a)",
      "(a",
      "[",
      "[a",
      "[^",
      "[a-",
      "[\\",
      "\\",
      "a\\",
      "*",
      "+a",
      "?",
      "a**",
      "a{2}{3}",
      "^*",
      "$+",
      "\\b*",
      "(*)",
      "|*",
      "(?:*",
      "{2}",
      "a{3,2}",
      "[z-a]",
      "[\\x7a-a]",
      "[b-\\b]",
      "(?a)",
      "(?i:a)",
      "(?<a",
      "(?<>a)",
      "(?<1>a)",
      "(?<a>x)(?<a>y)",
      "(?<=a)*",
      "(?<!a)?",
      "(?<a>x)\\k",
      "(?<a>x)\\k<b>",
      "(?<a>x)[\\k]",
      "(?<a-b>x)",
      "(?#c)",
      "(?>a)",
      "[\U0001F600-\U0001F601]",
  }));
  INFO(pattern);
  CHECK_FALSE(is_js_regex(pattern));
}

TEST_CASE("js regex: depth costs no stack", "[contract]") {
  constexpr std::size_t depth = 500000;
  const std::string open(depth, '(');
  CHECK_FALSE(is_js_regex(open));
  CHECK(is_js_regex(open + std::string(depth, ')')));
}
