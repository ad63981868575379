#include "cli/command_line.hpp"

#include <catch2/catch.hpp>

#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using adbproto::Errc;

TEST_CASE("command line: --version wins, also over faults") {
  const auto words = GENERATE(values<Words>({{"--version"},
                                             {"click", "--version"},
                                             {"--log-level", "loud", "--version"},
                                             {"nonsense", "--version"}}));
  const auto request = read_command_line(words);
  REQUIRE(request);
  CHECK(std::holds_alternative<PrintVersion>(*request));
}

TEST_CASE("command line: --version is the command's where the command has it") {
  const auto invocation = invoke({"operator", "download", "--version", "0.5.3"});
  REQUIRE(invocation);
  CHECK(*invocation->arguments.value("--version") == "0.5.3");
  const auto missing = invoke({"operator", "download", "--version"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message() == "--version requires a value");
  const auto other = read_command_line(Words{"operator", "setup", "--version"});
  REQUIRE(other);
  CHECK(std::holds_alternative<PrintVersion>(*other));
}

TEST_CASE("command line: --help finds the command among the words, else the top level") {
  struct Row {
    Words words;
    std::string topic;
  };
  const auto row = GENERATE(values<Row>({
      {{}, ""},
      {{"-h"}, ""},
      {{"--help"}, ""},
      {{"click", "--help"}, "click"},
      {{"--help", "click"}, "click"},
      {{"tap", "--bogus", "--help"}, "click"},
      {{"nonsense", "--help"}, ""},
      {{"observe", "snapshot", "--help"}, "snapshot"},
      {{"--device", "A", "exec", "--help"}, "exec"},
  }));
  const auto request = read_command_line(row.words);
  REQUIRE(request);
  const auto* help = std::get_if<PrintHelp>(&*request);
  REQUIRE(help);
  CHECK((help->topic ? help->topic->name : "") == row.topic);
}

TEST_CASE("command line: a bad global value comes before --help") {
  const auto request = read_command_line(Words{"click", "--log-level", "loud", "--help"});
  REQUIRE_FALSE(request);
  CHECK(request.error().code() == Errc::usage);
}

TEST_CASE("command line: after -- there is neither help nor version") {
  const auto invocation = invoke({"type", "--id", "i", "--", "--help"});
  REQUIRE(invocation);
  CHECK(invocation->arguments.positionals() == Words{"--help"});
}

TEST_CASE("command line: the picture's stdout is known even when the rest does not parse") {
  CHECK(stdout_is_for_picture(Words{"screenshot", "--path", "-"}));
  CHECK(stdout_is_for_picture(Words{"take-screenshot", "--file=-", "--bogus"}));
  CHECK(stdout_is_for_picture(Words{"observe", "screenshot", "--path", "-"}));
  CHECK_FALSE(stdout_is_for_picture(Words{"screenshot", "--path", "a.png"}));
  CHECK_FALSE(stdout_is_for_picture(Words{"exec", "--file", "-"}));
}
