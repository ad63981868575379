#include "simdroid/userland/pattern.hpp"

#include <catch2/catch.hpp>

using namespace simdroid;

TEST_CASE("pattern: as mksh matches", "[T1]") {
  struct Case {
    const char* pattern;
    const char* text;
    bool fits;
  };
  const auto row = GENERATE(values<Case>({
      {"", "", true},
      {"*", "", true},
      {"a|b", "b", true},
      {"|*", "anything", true},
      {"a\\|b", "a|b", true},
      {"a\\|b", "a", false},
      {"[a-c]?", "bz", true},
      {"[!a-c]", "b", false},
      {"[^f]", "f", true},
      {"[]]", "]", true},
      {"[", "[", true},
      {"[[:digit:]]x", "7x", true},
      {"@(a", "@(a", true},
      {"a|", "", true},
      {"a\\*", "a*", true},
      {"a\\*", "ab", false},
  }));
  INFO(row.pattern << " " << row.text);
  CHECK(matches_pattern(row.pattern, row.text) == row.fits);
}

TEST_CASE("pattern: what is escaped means itself") {
  const std::string odd = "a*b?[c]|(d)\\!@+";
  CHECK(matches_pattern(escape_pattern(odd), odd));
  CHECK(matches_pattern(escape_alternatives("a|(b)*"), "a|(b)xyz"));
  CHECK_FALSE(matches_pattern(escape_alternatives("a|b"), "a"));
}

TEST_CASE("pattern: one that would take for ever fits nothing") {
  const std::string text(40, 'a');
  std::string pattern;
  for (int i = 0; i < 20; ++i) pattern += "*a";
  CHECK(matches_pattern(pattern, text));
  CHECK_FALSE(matches_pattern(pattern + "b", text));
}
