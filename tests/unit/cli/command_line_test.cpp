#include "cli/grammar/command_line.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/errc.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;
using namespace adbproto;

TEST_CASE("command line: --version wins, also over faults") {
  const auto words = GENERATE(values<Words>({{"--version"},
                                             {"click", "--version"},
                                             {"--log-level", "loud", "--version"},
                                             {"nonsense", "--version"}}));
  const auto request = read_command_line(words).request;
  REQUIRE(request);
  CHECK(std::holds_alternative<PrintVersion>(*request));
}

TEST_CASE("command line: --version is the command's where the command has it") {
  for (const Words& words : {Words{"operator", "download", "--version", "0.5.3"},
                             Words{"operator", "download", "--version=0.5.3"},
                             Words{"--device", "x", "operator", "download", "--version", "0.5.3"},
                             Words{"operator", "--json", "download", "--version", "0.5.3"}}) {
    CAPTURE(words);
    const auto invocation = invoke(words);
    REQUIRE(invocation);
    CHECK(*invocation->arguments.value("--version") == "0.5.3");
  }
  const auto missing = invoke({"operator", "download", "--version"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message() == "--version requires a value");
}

TEST_CASE("command line: before such a command, and of every other, --version is ours") {
  for (const Words& words :
       {Words{"--version", "operator", "download"}, Words{"operator", "--version", "download"},
        Words{"--device", "--version", "operator", "download"},
        Words{"operator", "setup", "--version"}, Words{"snapshot", "--version", "0.5.3"},
        Words{"operator", "x", "download", "--version", "0.5.3"}}) {
    CAPTURE(words);
    const auto request = read_command_line(words).request;
    REQUIRE(request);
    CHECK(std::holds_alternative<PrintVersion>(*request));
  }
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
  const auto request = read_command_line(row.words).request;
  REQUIRE(request);
  const auto* help = std::get_if<PrintHelp>(&*request);
  REQUIRE(help);
  CHECK((help->topic ? help->topic->name : "") == row.topic);
}

TEST_CASE("command line: a bad global value comes before --help") {
  const auto request = read_command_line(Words{"click", "--log-level", "loud", "--help"}).request;
  REQUIRE_FALSE(request);
  CHECK(request.error().code() == errc::usage);
}

TEST_CASE("command line: after -- there is neither help nor version") {
  const auto invocation = invoke({"type", "--id", "i", "--", "--help"});
  REQUIRE(invocation);
  CHECK(invocation->arguments.positionals() == Words{"--help"});
}

TEST_CASE("command line: the picture's stdout is known even when the rest does not parse") {
  const auto for_picture = [](const Words& words) {
    return read_command_line(words).stdout_is_for_picture;
  };
  CHECK(for_picture({"screenshot", "--path", "-"}));
  CHECK(for_picture({"take-screenshot", "--file=-", "--bogus"}));
  CHECK(for_picture({"observe", "screenshot", "--path", "-"}));
  CHECK(for_picture({"--log-level", "loud", "screenshot", "--path", "-"}));
  CHECK_FALSE(for_picture({"screenshot", "--path", "a.png"}));
  CHECK_FALSE(for_picture({"screenshot", "--", "--path", "-"}));
  CHECK_FALSE(for_picture({"exec", "--file", "-"}));
}

TEST_CASE("command line: an error is printed as the rest of the line asks for") {
  const auto output = [](const Words& words) { return read_command_line(words).output; };
  CHECK(output({"click", "--bogus", "--output", "pretty"}) == OutputMode::pretty);
  CHECK(output({"--format=pretty", "nonsense"}) == OutputMode::pretty);
  CHECK(output({"snapshot", "--bogus", "--format", "pretty"}) == OutputMode::pretty);
  CHECK(output({"--output", "pretty", "snapshot", "--format", "xml", "-x"}) == OutputMode::pretty);
  CHECK(output({"click", "--output", "pretty", "--json", "--bogus"}) == OutputMode::json);
  CHECK(output({"click", "--output", "yaml"}) == OutputMode::json);
  CHECK(output({"type", "--bogus", "--", "--output", "pretty"}) == OutputMode::json);
}

TEST_CASE("command line: of two faults the published order tells which one is reported") {
  struct Row {
    Words words;
    std::string message;
  };
  const auto row = GENERATE(values<Row>({
      {{"screenshot", "--format", "gif", "--log-level", "loud"},
       "--log-level must be one of: debug, info, warn, error"},
      {{"nonsense", "--transport", "wifi"}, "--transport must be one of: auto, server, tcp, usb"},
      {{"--bogus", "nonsense"}, "unrecognized flag '--bogus'"},
      {{"screenshot", "--quality", "--bogus"}, "unrecognized flag '--bogus'"},
      {{"screenshot", "extra", "--quality"}, "--quality requires a value"},
      {{"screenshot", "--quality", "-x"}, "--quality requires a value"},
      {{"screenshot", "--quality", "1", "--quality"}, "--quality requires a value"},
  }));
  const auto refused = invoke(row.words);
  CAPTURE(row.words);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() == row.message);
}

TEST_CASE("command line: a subcommand of an old verb has no siblings that could have its flag") {
  const auto refused = invoke({"observe", "snapshot", "--bogus"});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() == "unrecognized flag '--bogus'");
}
