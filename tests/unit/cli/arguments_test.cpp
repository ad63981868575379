#include "cli/arguments.hpp"

#include <catch2/catch.hpp>

#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using adbproto::Errc;

namespace {

constexpr Option kOptions[] = {
    {"--text", "", Arity::one, "<text>", "", "", OnMissing::command},
    {"--id", "--resource-id", Arity::one, "<id>"},
    {"--coordinate", "", Arity::two, "<x> <y>", "", "", OnMissing::command},
    {"--kind", "", Arity::one, "<kind>", "", "red green"},
    {"--all", "", Arity::none},
};

adbproto::Result<Arguments> parse(const Words& words) { return Arguments::parse(kOptions, words); }

std::string fault(const Words& words) {
  const auto result = parse(words);
  return result ? "" : result.error().message();
}

}  // namespace

TEST_CASE("arguments: options, positionals and both value forms") {
  const auto arguments = parse({"one", "--text", "a b", "--id=x", "--all", "two"});
  REQUIRE(arguments);
  CHECK(*arguments->value("--text") == "a b");
  CHECK(*arguments->value("--id") == "x");
  CHECK(arguments->has("--all"));
  CHECK(arguments->positionals() == Words{"one", "two"});
}

TEST_CASE("arguments: an alias fills the canonical option, which wins when both are given") {
  CHECK(*parse({"--resource-id", "a"})->value("--id") == "a");
  CHECK(*parse({"--id", "a", "--resource-id", "b"})->value("--id") == "a");
  CHECK(*parse({"--resource-id", "b", "--id", "a"})->value("--id") == "a");
  CHECK(*parse({"--text", "a", "--text", "b"})->value("--text") == "b");
}

TEST_CASE("arguments: repetition counts per spelling") {
  CHECK(fault({"--id", "a", "--id", "b"}) == "--id must not appear more than once");
  CHECK(fault({"--resource-id", "a", "--resource-id", "b"}) ==
        "--resource-id must not appear more than once");
  CHECK(fault({"--all", "--all"}).empty());
  CHECK(parse({"--text", "a", "--text", "b"})->repeated("--text"));
  CHECK_FALSE(parse({"--id", "a", "--resource-id", "b"})->repeated("--id"));
  CHECK_FALSE(parse({"--id", "a"})->repeated("--id"));
}

TEST_CASE("arguments: a value that begins with a dash needs the = form, a lone dash does not") {
  CHECK(parse({"--text", "-5"})->find("--text")->missing_value);
  CHECK(*parse({"--text=-5"})->value("--text") == "-5");
  CHECK(*parse({"--text="})->value("--text") == "");
  CHECK(*parse({"--text=a=b"})->value("--text") == "a=b");
  CHECK(*parse({"--text", "-"})->value("--text") == "-");
}

TEST_CASE("arguments: a missing value is USAGE unless the command wants to say it") {
  CHECK(fault({"--id"}) == "--id requires a value");
  CHECK(fault({"--resource-id", "--all"}) == "--resource-id requires a value");
  CHECK(parse({"--text"})->find("--text")->missing_value);
}

TEST_CASE("arguments: a switch refuses a value and a choice refuses strangers") {
  CHECK(fault({"--all=yes"}) == "--all does not take a value");
  CHECK(fault({"--kind", "blue"}) == "--kind must be one of: red, green");
  CHECK(*parse({"--kind", "red"})->value("--kind") == "red");
}

TEST_CASE("arguments: two values, also after = and when one is negative") {
  CHECK(parse({"--coordinate", "1", "2"})->find("--coordinate")->values == Words{"1", "2"});
  CHECK(parse({"--coordinate=1,2"})->find("--coordinate")->values == Words{"1", "2"});
  CHECK(parse({"--coordinate", "-1", "2"})->find("--coordinate")->values == Words{"-1", "2"});
  CHECK(parse({"--coordinate", "1"})->find("--coordinate")->missing_value);
}

TEST_CASE("arguments: unknown flags are refused with the nearest known one") {
  CHECK(fault({"--bogus"}) == "unrecognized flag '--bogus'");
  CHECK(fault({"--texts", "x"}) == "unrecognized flag '--texts'. Did you mean '--text'?");
  CHECK(fault({"--devize=A"}) == "unrecognized flag '--devize'. Did you mean '--device'?");
  CHECK(parse({"--bogus"}).error().code() == Errc::usage);
}

TEST_CASE("arguments: the gate comes before every other fault") {
  CHECK(fault({"--id", "--bogus"}) == "unrecognized flag '--bogus'");
}

TEST_CASE("arguments: negative numbers and words after -- are positionals") {
  CHECK(parse({"-5", "-0.5", "-"})->positionals() == Words{"-5", "-0.5", "-"});
  CHECK(parse({"a", "--", "--bogus", "--id"})->positionals() == Words{"a", "--bogus", "--id"});
}

TEST_CASE("arguments: a word that begins with one dash is refused", "[F40]") {
  for (const char* word : {"-x", "-text", "-5x", "---"}) {
    const auto result = parse({word});
    REQUIRE_FALSE(result);
    CHECK(result.error().code() == Errc::usage);
  }
  CHECK(parse({"-id", "a"}).error().message() == "unrecognized flag '-id'. Did you mean '--id'?");
  CHECK(parse({"--", "-x"})->positionals() == Words{"-x"});
}

TEST_CASE("arguments: a global flag that stayed behind is no stranger") {
  CHECK(parse({"--device"})->positionals().empty());
}

TEST_CASE("command line: a flag of another command is refused") {
  const auto result = invoke({"snapshot", "--text", "foo"});
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == Errc::usage);
  CHECK(result.error().message() == "unrecognized flag '--text'");
}
