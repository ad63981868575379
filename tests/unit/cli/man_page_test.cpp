#include "cli/manual/all_errors.hpp"
#include "cli/manual/manual.hpp"

#include <catch2/catch.hpp>

#include "cli/environment_table.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "unit/cli/example_words.hpp"

using namespace clawperator;
using namespace clawperator::cli;

TEST_CASE("man page: text is printed by roff as it is written here") {
  CHECK(roff_escaped("--text a\\b") == "\\-\\-text a\\eb");
  CHECK(roff_escaped(".TH x\n'b") == "\\&.TH x\n\\&\\(aqb");
  CHECK(roff_escaped("a.b") == "a.b");
}

TEST_CASE("man page: commands, options, variables and error codes are all there") {
  const std::string page = man_page();
  const auto has = [&](std::string_view text) {
    return page.find(roff_escaped(text)) != std::string::npos;
  };
  for (const Command* command : commands_and_subcommands()) {
    CAPTURE(command->name);
    CHECK(page.find("\n.SS " + roff_escaped(command->name) + "\n") != std::string::npos);
    for (const Option& option : command->options) CHECK(has(option.name));
    for (const std::string& line : lines_of(command->examples)) CHECK(has(line));
  }
  for (const Option& option : global_options()) CHECK(has(option.name));
  for (const EnvironmentVariable& variable : environment_table()) CHECK(has(variable.name));
  for (const ErrorCode* row : all_errors()) CHECK(has(row->published));
}

TEST_CASE("man page: every folder and file that outlives a command is named") {
  const std::string page = man_page();
  for (const std::string_view file :
       {"~/.clawperator/logs/", "~/.clawperator/targets.json", "~/.clawperator/downloads/",
        "~/.clawperator/logs/emulator-", "~/.cache/clawperator/", "$XDG_RUNTIME_DIR",
        "~/.android/adbkey", "~/.android/avd/", "~/.emulator_console_auth_token"}) {
    CAPTURE(file);
    CHECK(page.find("\\fB" + roff_escaped(file)) != std::string::npos);
  }
}

TEST_CASE("man page: no line but a macro begins with a dot or a quote") {
  for (const std::string& line : lines_of(man_page())) {
    CAPTURE(line);
    if (line.empty() || (line[0] != '.' && line[0] != '\'')) continue;
    CHECK(line.size() > 2);
    CHECK((line[1] >= 'A' && line[1] <= 'Z'));
  }
}
