#include "cli/grammar/command_line.hpp"

#include <catch2/catch.hpp>

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

TEST_CASE("command line: of two faults the published order decides which one is reported") {
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
      {{"click", "-h=1", "--bogus"}, "-h does not take a value"},
      {{"hub", "--version=1.0", "install", "x"}, "--version does not take a value"},
      {{"press", "home", "-hx"}, "unrecognized flag '-hx'"},
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

TEST_CASE("command line: what a skill's run does not know is its script's, as it stands") {
  struct Row {
    Words words;
    Words script;  // the skill and its arguments
  };
  const auto row = GENERATE(values<Row>({
      {{"a.b"}, {"a.b"}},
      {{"a.b", "--device", "D", "--state", "on", "x", "--mode=heat"},
       {"a.b", "--state", "on", "x", "--mode=heat"}},
      {{"--device", "D", "a.b", "--state", "on"}, {"a.b", "--state", "on"}},
      // Flags of other commands, and globals that are ours alone before the command.
      {{"a.b", "--text", "t", "--input", "i", "--backend", "shell", "--timings", "--trace", "f"},
       {"a.b", "--text", "t", "--input", "i", "--backend", "shell", "--timings", "--trace", "f"}},
      {{"a.b", "--timeout", "5000", "--json", "1", "-x", "-", "-5"}, {"a.b", "1", "-x", "-", "-5"}},
      {{"a.b", "--expect-contains", "t", "u", "--skip-validate", "v"}, {"a.b", "u", "v"}},
      {{"a.b", "c", "--", "--device", "--help", "--"}, {"a.b", "c", "--device", "--help", "--"}},
      {{"a.b", ""}, {"a.b", ""}},
  }));
  Words words{"skills", "run"};
  words.insert(words.end(), row.words.begin(), row.words.end());
  CAPTURE(words);
  const auto invocation = invoke(words);
  REQUIRE(invocation);
  CHECK(invocation->arguments.positionals() == row.script);
}

TEST_CASE("command line: a skill's run takes its own flags and the old globals wherever they are") {
  const auto invocation = invoke({"--timings", "skills", "run", "a.b", "--state", "--device", "D",
                                  "--timeout-ms", "7", "--operator-package", "p.q", "--output",
                                  "pretty", "--expect-contains=--x", "--skip-validate"});
  REQUIRE(invocation);
  CHECK(invocation->globals.timings);
  CHECK(invocation->globals.target.device == "D");
  CHECK(invocation->globals.timeout_ms == 7);
  CHECK(invocation->globals.operator_package == "p.q");
  CHECK(invocation->globals.output == OutputMode::pretty);
  CHECK(*invocation->arguments.value("--expect-contains") == "--x");
  CHECK(invocation->arguments.has("--skip-validate"));
  CHECK(invocation->arguments.positionals() == Words{"a.b", "--state"});
  const auto missing = invoke({"skills", "run", "a.b", "--expect-contains"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message() == "--expect-contains requires a value");
  CHECK_FALSE(invoke({"skills", "run", "a.b", "--expect-contains", "--y"}));
  const auto unnamed = invoke({"skills", "run", "--state", "on", "a.b"});
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().message().starts_with("unrecognized flag '--state'"));
}

TEST_CASE("command line: what is wrong with the words of a secret quotes none of them",
          "[secrets]") {
  for (const Words& words : {Words{"type", "my", "hunter2", "--secret"},
                             Words{"type", "--secret", "-hunter2", "--id", "x"},
                             Words{"type", "--hunter2", "--id", "x", "--secret"},
                             Words{"--secret", "type", "--id", "x", "hunter2", "--hunter2"}}) {
    CAPTURE(words);
    const auto refused = invoke(words);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::usage);
    CHECK(refused.error().message().find("hunter2") == std::string::npos);
  }
  CHECK(invoke({"type", "my", "hunter2"}).error().message().contains("'hunter2'"));
}
