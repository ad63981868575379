#include "cli/grammar/arguments.hpp"

#include <catch2/catch.hpp>

#include "unit/cli/parsed.hpp"

using namespace clawperator::cli;
using namespace adbproto;

namespace {

constexpr Option kParsedOptions[] = {
    {"--text", "", Arity::one, "<text>", "", "", OnMissing::command},
    {"--id", "--resource-id", Arity::one, "<id>"},
    {"--kind", "", Arity::one, "<kind>", "", "red green"},
    {"--all", "", Arity::none},
};

Arguments parse(const Words& words) { return {parsed(kParsedOptions, words).given, {}}; }

std::string fault(const Words& words) {
  const auto checked = check_given(parsed(kParsedOptions, words).given);
  return checked ? "" : checked.error().message();
}

}  // namespace

TEST_CASE("arguments: an alias fills the canonical option, which wins when both are given") {
  CHECK(*parse({"--resource-id", "a"}).value("--id") == "a");
  CHECK(*parse({"--id", "a", "--resource-id", "b"}).value("--id") == "a");
  CHECK(*parse({"--resource-id", "b", "--id", "a"}).value("--id") == "a");
  CHECK(*parse({"--text", "a", "--text", "b"}).value("--text") == "b");
  CHECK(parse({"--all"}).has("--all"));
  CHECK_FALSE(parse({"--all"}).has("--text"));
}

TEST_CASE("arguments: repetition counts per spelling") {
  CHECK(fault({"--id", "a", "--id", "b"}) == "--id must not appear more than once");
  CHECK(fault({"--resource-id", "a", "--resource-id", "b"}) ==
        "--resource-id must not appear more than once");
  CHECK(fault({"--id", "a", "--resource-id", "b"}).empty());
  CHECK(fault({"--all", "--all"}).empty());
  CHECK(parse({"--text", "a", "--text", "b"}).repeated("--text"));
  CHECK_FALSE(parse({"--id", "a", "--resource-id", "b"}).repeated("--id"));
  CHECK_FALSE(parse({"--id", "a"}).repeated("--id"));
}

TEST_CASE("arguments: a missing value is USAGE unless the command wants to say it") {
  CHECK(fault({"--id"}) == "--id requires a value");
  CHECK(fault({"--resource-id", "--all"}) == "--resource-id requires a value");
  CHECK(fault({"--text"}).empty());
  CHECK(parse({"--text"}).find("--text")->missing_value);
}

TEST_CASE("arguments: a switch refuses a value and a choice refuses strangers") {
  CHECK(fault({"--all=yes"}) == "--all does not take a value");
  CHECK(fault({"--all=true"}) == "--all does not take a value");
  CHECK(fault({"--kind", "blue"}) == "--kind must be one of: red, green");
  CHECK(fault({"--kind="}) == "--kind must be one of: red, green");
  CHECK(*parse({"--kind", "red"}).value("--kind") == "red");
}

TEST_CASE("arguments: negative numbers and words after -- are positionals") {
  CHECK(invoke({"sleep", "-0.5"})->arguments.positionals() == Words{"-0.5"});
  CHECK(invoke({"exec", "-"})->arguments.positionals() == Words{"-"});
  CHECK(invoke({"help", "a", "--", "--bogus"})->arguments.positionals() == Words{"a", "--bogus"});
}

TEST_CASE("arguments: unknown flags are refused with the nearest known one") {
  const auto refusal = [](const Words& words) { return invoke(words).error(); };
  CHECK(refusal({"click", "--bogus"}).message() == "unrecognized flag '--bogus'");
  CHECK(refusal({"click", "--texts", "x"}).message() ==
        "unrecognized flag '--texts'. Did you mean '--text'?");
  CHECK(refusal({"click", "--devize=A"}).message() ==
        "unrecognized flag '--devize'. Did you mean '--device'?");
  CHECK(refusal({"click", "--bogus"}).code() == errc::usage);
}

TEST_CASE("arguments: a word that begins with one dash is refused", "[F40]") {
  for (const char* word : {"-x", "-text", "-5x", "---", "-home"}) {
    CAPTURE(word);
    const auto result = invoke({"press", "home", word});
    REQUIRE_FALSE(result);
    CHECK(result.error().code() == errc::usage);
  }
  CHECK(invoke({"click", "-id", "a"}).error().message() ==
        "unrecognized flag '-id'. Did you mean '--id'?");
  CHECK(invoke({"press", "--", "-x"})->arguments.positionals() == Words{"-x"});
}

TEST_CASE("arguments: a flag of another command is refused") {
  const auto result = invoke({"snapshot", "--text", "foo"});
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::usage);
  CHECK(result.error().message() == "unrecognized flag '--text'");
}
