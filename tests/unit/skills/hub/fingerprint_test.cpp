#include "skills/hub/local_skill.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace clawperator::hub;

namespace {

// sha256sum's own words for these texts.
constexpr const char* kHello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
constexpr const char* kWorld = "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7";
constexpr const char* kNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

}  // namespace

TEST_CASE("hub fingerprint: the vector that the hub's own client sends") {
  // Seen on the wire of clawdhub 0.3.0.
  constexpr const char* kSeen = "608d581da652b618da92a02c11e5360cb2f5b7e63f07cbeb4b3c1f36454490d3";
  CHECK(fingerprint_of({{"SKILL.md", kHello}, {"notes.md", kWorld}}) == kSeen);
  CHECK(fingerprint_of({{"notes.md", kWorld}, {"SKILL.md", kHello}}) == kSeen);
}

TEST_CASE("hub fingerprint: of no files it is that of nothing") {
  CHECK(fingerprint_of({}) == kNothing);
  CHECK(fingerprint_of({{"", kHello}}) == kNothing);
}

TEST_CASE("hub fingerprint: paths stand in ICU's order, not in that of their bytes") {
  const std::vector<std::string> icu{"alpha_b.md",      "alpha-b.md",      "alpha/x.md",
                                     "references/A.md", "references/b.md", "scripts/run.sh",
                                     "SKILL.md",        "Zeta.md"};
  for (std::size_t i = 0; i < icu.size(); ++i) {
    for (std::size_t j = 0; j < icu.size(); ++j) {
      CAPTURE(icu[i], icu[j]);
      const int order = compare_paths(icu[i], icu[j]);
      CHECK((order < 0) == (i < j));
      CHECK((order == 0) == (i == j));
    }
  }
}

TEST_CASE("hub fingerprint: every ASCII character that counts has its place") {
  constexpr std::string_view kIcu =
      " _-,;:!?.'\"()[]{}@*/"
      "\\&#%`^+<=>|~$0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxX"
      "yYzZ";
  CHECK(kIcu.size() == 0x7f - 0x20);
  for (std::size_t at = 1; at < kIcu.size(); ++at) {
    CAPTURE(kIcu[at]);
    CHECK(compare_paths(kIcu.substr(at - 1, 1), kIcu.substr(at, 1)) < 0);
  }
}

TEST_CASE("hub fingerprint: case decides last, and a beginning comes first") {
  CHECK(compare_paths("a", "A") < 0);
  CHECK(compare_paths("A", "b") < 0);
  CHECK(compare_paths("aB", "Ab") < 0);
  CHECK(compare_paths("Ab", "aBc") < 0);
  CHECK(compare_paths("a", "a b") < 0);
  CHECK(compare_paths("aA1", "Aa1") < 0);
}

TEST_CASE("hub fingerprint: characters that do not show count only where nothing else differs") {
  CHECK(compare_paths("a\x01z", "ab") > 0);
  CHECK(compare_paths("a\x01", "a\x02") < 0);
  CHECK(compare_paths("a\t", "a ") < 0);
}

TEST_CASE("hub fingerprint: what is beyond ASCII comes after all letters, by its bytes") {
  CHECK(compare_paths("z", "\xc3\xa9") < 0);
  CHECK(compare_paths("\xc3\xa9", "\xc3\xaa") < 0);
}

TEST_CASE("hub fingerprint: older clients count texts by what follows the path's last dot") {
  for (const char* path : {"SKILL.md", "a/b.YAML", "md", "a.b/c.svg", ".env", "x.env"}) {
    CAPTURE(path);
    CHECK(is_text_path(path));
  }
  for (const char* path : {"Makefile", "a.png", "a.", "", "a.md/b", "a.md mdx", "a. "}) {
    CAPTURE(path);
    CHECK_FALSE(is_text_path(path));
  }
}
