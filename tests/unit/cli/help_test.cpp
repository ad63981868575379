#include "cli/help.hpp"

#include <catch2/catch.hpp>

#include "cli/command_table.hpp"
#include "unit/cli/invoke.hpp"

using namespace clawperator::cli;

namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string help_of(const std::string& name) { return command_help(*look_up(Words{name}).command); }

}  // namespace

TEST_CASE("help: the top level names every command and every global option") {
  const std::string text = top_level_help();
  CHECK(contains(text, "Clawperator CLI"));
  CHECK(contains(text, "\nCommands:\n"));
  CHECK(contains(text, "exec <json-or-file> [--validate-only]"));
  const auto globals_at = text.find("\nGlobal options:\n");
  REQUIRE(globals_at != std::string::npos);
  CHECK(contains(text.substr(globals_at), "--json"));
  for (const Command* command : commands()) {
    CHECK(contains(text, "\n  " + std::string(command->name)));
  }
  CHECK_FALSE(contains(text, "action open-app"));
}

TEST_CASE("help: every command has usage, an example and its own options") {
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    const std::string text = command_help(*command);
    CHECK(contains(text, "Usage: clawperator " + std::string(command->name)));
    CHECK(contains(text, "Examples:\n  clawperator " + std::string(command->name)));
    for (const Option& option : command->options) CHECK(contains(text, option.name));
    CHECK_FALSE(contains(text, "Commands:"));
    CHECK_FALSE(contains(text, "action open-app"));
  }
}

TEST_CASE("help: the fragments that callers look for") {
  CHECK(contains(help_of("snapshot"), "--timeout <ms>"));
  CHECK(contains(help_of("screenshot"), "--path <file>"));
  for (const char* flag : {"--selector", "--text", "--id"}) {
    CHECK(contains(help_of("click"), flag));
  }
  CHECK(contains(help_of("scroll"), "--container-"));
  CHECK(contains(help_of("read"), "--container-"));
  CHECK(contains(help_of("type"), "--role"));
  CHECK(contains(help_of("type"), "--id"));
}
