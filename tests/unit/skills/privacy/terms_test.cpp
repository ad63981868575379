#include "skills/privacy/terms.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "skills/privacy/errc.hpp"
#include "unit/skills/privacy/naive_terms.hpp"

using namespace clawperator;
using namespace clawperator::privacy;

namespace {

using Found = std::vector<std::pair<std::size_t, std::size_t>>;

Found found_by(const Terms& terms, std::string_view line) {
  Found found;
  terms.find(line,
             [&](std::size_t offset, std::size_t length) { found.emplace_back(offset, length); });
  return found;
}

Found found_in(std::string_view text, std::string_view line) {
  return found_by(Terms::read(text).value(), line);
}

}  // namespace

TEST_CASE("terms: comments, blanks and line ends", "[skills]") {
  const std::string_view text =
      "\xef\xbb\xbf"
      "Jane Doe\r\n\n  # a comment\n\t lake house \r\n#jane\n";
  CHECK(found_in(text, "of jane doe.") == Found{{3, 8}});
  CHECK(found_in(text, "THE LAKE HOUSE") == Found{{4, 10}});
  CHECK(found_in(text, "# a comment, #jane, jane  doe").empty());
  CHECK(Terms::read("# only\n\n \r\n").value().empty());
  CHECK(found_in("", "anything").empty());
}

TEST_CASE("terms: case is folded, and places are those of the line", "[skills]") {
  CHECK(found_in("m\xc3\xbcller", "Frau M\xc3\x9cLLER") == Found{{5, 7}});  // ü, Ü
  CHECK(found_in("\xd0\x98\xd0\x92\xd0\x90\xd0\x9d", "\xd0\xb8\xd0\xb2\xd0\xb0\xd0\xbd") ==
        Found{{0, 8}});  // Cyrillic
  CHECK(found_in("\xc5\xbb\xc3\x93\xc5\x81", "\xc5\xbc\xc3\xb3\xc5\x82") == Found{{0, 6}});  // Żół
  CHECK(found_in("\xce\xa9", "\xcf\x89") == Found{{0, 2}});  // Greek
  CHECK(folded_case("Ștefan ŸÖ ΆΈΌΎΏΣς Ґ Ә Ա ĲǍ NGUYỄN ƠƯ ẞ") ==
        "ștefan ÿö άέόύώσσ ґ ә ա ĳǎ nguyễn ơư ẞ");
  CHECK(found_in("ΜΑΡΊΑ", "μαρία") == Found{{0, 10}});
  CHECK(folded_case("\xe1\xba \xe1") == "\xe1\xba \xe1");
  CHECK(folded_case("\xc3\x97\xc3\xb7 \xc3 \xff\xc3") == "\xc3\x97\xc3\xb7 \xc3 \xff\xc3");
  CHECK(found_in("\xff"
                 "A",
                 "x\xff"
                 "a") == Found{{1, 2}});  // no UTF-8
}

TEST_CASE("terms: the longest of those that end together, and none overlaps", "[skills]") {
  CHECK(found_in("she\nhe\nhers", "ushers he") == Found{{1, 3}, {7, 2}});
  CHECK(found_in("aa", "aaaaa") == Found{{0, 2}, {2, 2}});
  CHECK(found_in("a\nabc", "abc") == Found{{0, 1}});
  CHECK(found_in("abcd\nbx", "abcbx") == Found{{3, 2}});
  CHECK(found_in("abcd\nc", "abcx") == Found{{2, 1}});
}

TEST_CASE("terms: limits", "[skills]") {
  const std::string longest(kMaxTerm, 'x');
  CHECK(found_in(longest, longest) == Found{{0, kMaxTerm}});
  const auto is_invalid = [](std::string_view text) {
    const auto terms = Terms::read(text);
    return !terms && terms.error().code() == errc::privacy_terms_invalid;
  };
  CHECK(is_invalid("\n" + longest + "x"));
  CHECK(Terms::read("\n" + longest + "x").error().message().starts_with("line 2 "));
  CHECK(is_invalid(std::string(kMaxTermsFile + 1, '\n')));
  CHECK_FALSE(is_invalid(std::string(kMaxTermsFile, '\n')));
}

TEST_CASE("terms: a file of 1 MiB and a line of 10 MiB", "[skills]") {
  // All fail late: comparing each term at each place would take days.
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::string(1015, 'a') + "b" + std::to_string(i) + "\n";
  const Terms terms = Terms::read(text).value();
  std::string line(10U << 20, 'a');
  CHECK(found_by(terms, line).empty());
  line += "b999";
  CHECK(found_by(terms, line).size() == 1);
}

TEST_CASE("terms: as comparing each term at each place", "[skills]") {
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same texts each time
  const auto word = [&random](std::size_t longest) {
    std::string made;
    const std::size_t length = random() % longest + 1;
    for (std::size_t i = 0; i < length; ++i) made += static_cast<char>('a' + random() % 3);
    return made;
  };
  std::size_t in_all = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::string> words(random() % 8);
    std::string text;
    for (std::string& each : words) {
      each = word(5);
      text += each + "\n";
    }
    const std::string line = word(40);
    CAPTURE(text, line);
    const Found found = found_in(text, line);
    REQUIRE(found == naive_terms(words, line));
    in_all += found.size();
  }
  CHECK(in_all > 3000);
}
