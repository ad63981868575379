#include "cli/grammar/cli11_parser.hpp"

#include <catch2/catch.hpp>

#include "unit/cli/parsed.hpp"

using namespace clawperator::cli;

namespace {

constexpr Option kPutOptions[] = {
    {"--text", "", Arity::one, "<text>", "", "", OnMissing::command},
    {"--id", "--resource-id", Arity::one, "<id>"},
    {"--coordinate", "", Arity::two, "<x> <y>", "", "", OnMissing::command},
    {"--format", "", Arity::one, "<format>", "", "red green"},
    {"--marks", "", Arity::optional, "[all]", "", "all"},
    {"--all", "", Arity::none},
};

// What CLI11 made of one occurrence: "--text=a,b", "--text?" where a value is missing.
std::string shown(const Given& given) {
  std::string text = given.spelling;
  for (const std::string& value : given.values) {
    text += (text == given.spelling ? "=" : ",") + value;
  }
  return text + (given.missing_value ? "?" : "");
}

Words shown(const std::vector<Given>& all) {
  Words texts;
  for (const Given& given : all) texts.push_back(shown(given));
  return texts;
}

Words own(const Words& words) { return shown(parsed(kPutOptions, words).given); }
Words rest(const Words& words) { return parsed(kPutOptions, words).rest; }
Words global(const Words& words) { return shown(parsed(global_options(), words).given); }

}  // namespace

TEST_CASE("CLI11: options, both value forms, and the rest in its order") {
  const Words words{"one", "--text", "a b", "--id=x", "--all", "two"};
  CHECK(own(words) == Words{"--text=a b", "--id=x", "--all"});
  CHECK(rest(words) == Words{"one", "two"});
}

TEST_CASE("CLI11: every occurrence is there, in the spelling that was used") {
  CHECK(own({"--resource-id", "a", "--id", "b", "--id", "c", "--all", "--all"}) ==
        Words{"--resource-id=a", "--id=b", "--id=c", "--all", "--all"});
}

TEST_CASE("CLI11: an attached value may be anything") {
  CHECK(own({"--text=-5"}) == Words{"--text=-5"});
  CHECK(own({"--text=--all"}) == Words{"--text=--all"});
  CHECK(own({"--text=a=b"}) == Words{"--text=a=b"});
  CHECK(own({"--text==", "x"}) == Words{"--text=="});
  CHECK(own({"--text=[a,b]"}) == Words{"--text=[a,b]"});
  const auto empty = parsed(kPutOptions, Words{"--text=", "x"});
  REQUIRE(empty.given.size() == 1);
  CHECK(empty.given[0].values == Words{""});
  CHECK(empty.rest == Words{"x"});
}

TEST_CASE("CLI11: a value of its own word does not begin with a dash, but may be one or empty") {
  CHECK(own({"--text", "-5"}) == Words{"--text?"});
  CHECK(own({"--text", "-x"}) == Words{"--text?"});
  CHECK(own({"--text", "--all"}) == Words{"--text?", "--all"});
  CHECK(own({"--text"}) == Words{"--text?"});
  CHECK(own({"--text", "-"}) == Words{"--text=-"});
  CHECK(parsed(kPutOptions, Words{"--text", ""}).given[0].values == Words{""});
}

TEST_CASE("CLI11: two values may be negative, and come attached with a comma") {
  CHECK(own({"--coordinate", "1", "-2", "3"}) == Words{"--coordinate=1,-2"});
  CHECK(own({"--coordinate=1,2", "3"}) == Words{"--coordinate=1,2"});
  CHECK(rest({"--coordinate=1,2", "3"}) == Words{"3"});
  CHECK(own({"--coordinate", "1"}) == Words{"--coordinate=1?"});
  CHECK(own({"--coordinate", "1", "--all"}) == Words{"--coordinate=1?", "--all"});
}

TEST_CASE("CLI11: an optional value is taken only if it is one of the choices") {
  CHECK(own({"--marks", "all"}) == Words{"--marks=all"});
  CHECK(own({"--marks", "--all"}) == Words{"--marks", "--all"});
  CHECK(own({"--marks", "x.png"}) == Words{"--marks"});
  CHECK(rest({"--marks", "x.png"}) == Words{"x.png"});
  CHECK(rest({"a", "--marks", "b", "c"}) == Words{"a", "b", "c"});
  CHECK(own({"--marks="}) == Words{"--marks="});
  CHECK(rest({"--marks=", "all"}) == Words{"all"});
}

TEST_CASE("CLI11: what is in no table is left, whole and in order") {
  CHECK(rest({"-x", "a", "--bogus=1", "-.5", "-5", "-home", "--text", "t", "---"}) ==
        Words{"-x", "a", "--bogus=1", "-.5", "-5", "-home", "---"});
}

TEST_CASE("CLI11: the value that a switch was given is kept for the one who refuses it") {
  CHECK(own({"--all=yes"}) == Words{"--all=yes"});
  CHECK(own({"--all=true"}) == Words{"--all=true"});
}

TEST_CASE("CLI11: some global options take any word, and miss none but at the end") {
  CHECK(global({"--device", "--text", "a"}) == Words{"--device=--text"});
  CHECK(global({"--device", "--text=a"}) == Words{"--device=--text=a"});
  CHECK(global({"--timeout", "-5"}) == Words{"--timeout=-5"});
  CHECK(global({"--device", "A", "--device"}) == Words{"--device=A", "--device?"});
  CHECK(parsed(global_options(), Words{"a", "--device"}).rest == Words{"a"});
  CHECK(global({"--device", "--help"}) == Words{"--device?", "--help"});
  CHECK(global({"--transport", "-x", "a"}) == Words{"--transport?"});
}

TEST_CASE("CLI11: up to the first word, it takes the options and leaves the words as they stand") {
  const auto until_word = [](const Words& words) {
    return parsed(kPutOptions, words, Until::first_word);
  };
  const auto both = until_word({"--id", "x", "--all", "one", "--text", "t", "--id=y"});
  CHECK(shown(both.given) == Words{"--id=x", "--all"});
  CHECK(both.rest == Words{"one", "--text", "t", "--id=y"});
  CHECK(until_word({"one", "--all"}).given.empty());
  CHECK(until_word({"--bogus", "--all", "one", "--all"}).rest == Words{"--bogus", "one", "--all"});
  CHECK(until_word({"--all"}).rest.empty());
}

TEST_CASE("CLI11: a word that begins like a short option is not that option") {
  const auto all = parsed(global_options(), Words{"-h", "-home"});
  CHECK(shown(all.given) == Words{"-h"});
  CHECK(shown(parsed(global_options(), Words{"-home"}).given).empty());
  CHECK(parsed(global_options(), Words{"-home"}).rest == Words{"-home"});
}

TEST_CASE("CLI11: no word means anything to it that is not in a table") {
  for (const std::string word :
       {"\x7f", "++", "/x", "%%", "[]", "{}", "!", "=", ":", "a=b", "true"}) {
    CAPTURE(word);
    CHECK(rest({word, "--all", word}) == Words{word, word});
    CHECK(own({"--text", word}) == Words{"--text=" + word});
    CHECK(own({"--text=" + word}) == Words{"--text=" + word});
    CHECK(global({"--device", word, word}) == Words{"--device=" + word});
  }
}
