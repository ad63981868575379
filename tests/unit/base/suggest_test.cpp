#include "base/suggest.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace base;

TEST_CASE("suggest: levenshtein counts insertions, deletions and replacements") {
  CHECK(levenshtein("", "") == 0);
  CHECK(levenshtein("", "abc") == 3);
  CHECK(levenshtein("kitten", "sitting") == 3);
  CHECK(levenshtein("flaw", "lawn") == 2);
  CHECK(levenshtein("--device", "devices") == 3);
}

TEST_CASE("suggest: a flag is suggested only above three quarters of likeness") {
  const std::array<std::string_view, 3> known{"--text", "--timeout", "--all"};
  CHECK(suggest_flag("--texts", known) == "--text");
  CHECK(suggest_flag("--timeuot", known) == "--timeout");
  CHECK_FALSE(suggest_flag("--bogus", known));
  // 1 - 2/8 is exactly 0.75, which is not above it.
  const std::array<std::string_view, 1> exact{"--abcdef"};
  CHECK_FALSE(suggest_flag("--abcdxy", exact));
}

TEST_CASE("suggest: of equally near flags the first one wins") {
  const std::array<std::string_view, 2> known{"--texa", "--texb"};
  CHECK(suggest_flag("--texc", known) == "--texa");
}

TEST_CASE("suggest: names rank by distance, then primary, then alphabet") {
  const std::array<NameCandidate, 4> known{
      {{"tapp", false}, {"taps", true}, {"tapq", true}, {"click", true}}};
  CHECK(suggest_name("tap", known) == "tapq");
  CHECK(suggest_name("clikc", known) == "click");
  CHECK_FALSE(suggest_name("zzzzz", known));
}

TEST_CASE("suggest: short words allow two edits, longer ones half their length") {
  const std::array<NameCandidate, 1> known{{{"snapshot", true}}};
  CHECK(suggest_name("snap", known) == std::nullopt);        // 4 edits, limit 2
  CHECK(suggest_name("snapsh", known) == "snapshot");        // 2 edits, limit 3
  CHECK(suggest_name("snappyshotty", known) == "snapshot");  // 4 edits, limit 6
}

TEST_CASE("suggest: an endless word is no typing error") {
  const std::array<NameCandidate, 1> known{{{"click", true}}};
  CHECK_FALSE(suggest_name(std::string(100000, 'c'), known));
}

TEST_CASE("did you mean: a message repeats the beginning of a very long word") {
  CHECK(clipped("clikc") == "clikc");
  CHECK(clipped(std::string(256, 'a')) == std::string(256, 'a'));
  CHECK(clipped(std::string(100000, 'a')) == std::string(256, 'a') + "... (100000 bytes)");
}
