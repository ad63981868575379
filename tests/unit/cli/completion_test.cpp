
#include "cli/manual/completion.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"

using namespace clawperator::cli;

// What the shells make of the scripts is tested with the shells: tests/contract/shells.

TEST_CASE("completion: every shell knows every command and every option") {
  const std::string bash = bash_completion();
  const std::string zsh = zsh_completion();
  const std::string fish = fish_completion();
  for (const Command* command : commands_and_subcommands()) {
    CAPTURE(command->name);
    CHECK(bash.find("    '" + std::string(command->name) + "')") != std::string::npos);
    CHECK(zsh.find("'" + std::string(second_word(*command)) + ":") != std::string::npos);
    CHECK(fish.find(" -a " + std::string(second_word(*command)) + " ") != std::string::npos);
    for (const Option& option : command->options) {
      CAPTURE(option.name);
      CHECK(bash.find(option.name) != std::string::npos);
      CHECK(zsh.find("'" + std::string(option.name) + "[") != std::string::npos);
      CHECK(fish.find(" -l " + std::string(option.name.substr(2)) + " ") != std::string::npos);
    }
  }
}

TEST_CASE("completion: a spelling takes a value everywhere or nowhere") {
  // The bash and zsh scripts skip the values of flags before they know the command.
  std::map<std::string_view, bool> takes_value;
  const auto check = [&](const Option& option) {
    if (option.name == "--version") return;  // `operator download` has one with a value
    CAPTURE(option.name);
    const bool takes = option.arity != Arity::none;
    const auto [known, is_new] = takes_value.emplace(option.name, takes);
    CHECK(known->second == takes);
  };
  for (const Option& option : global_options()) check(option);
  for (const Command* command : commands_and_subcommands()) {
    for (const Option& option : command->options) check(option);
  }
}

TEST_CASE("completion: the tables' placeholders say what can be offered") {
  const auto value_of = [](std::string_view name, std::string_view value,
                           std::string_view choices) {
    return value_source({name, "", Arity::one, value, "", choices});
  };
  CHECK(value_of("--device", "<serial>", "") == "@serials");
  CHECK(value_of("--app", "<package-or-uri>", "") == "@packages");
  CHECK(value_of("--path", "<file>", "") == "@files");
  CHECK(value_of("--out", "<folder>", "") == "@folders");
  CHECK(value_of("--input", "<file|folder>", "") == "@files");
  CHECK(value_of("--format", "<xml|json>", "xml json") == "xml json");
  CHECK(value_of("--timeout", "<ms>", "").empty());
}

TEST_CASE("completion: every option whose value is a file or a folder offers some") {
  std::vector<Option> options(global_options().begin(), global_options().end());
  for (const Command* command : commands_and_subcommands()) {
    options.insert(options.end(), command->options.begin(), command->options.end());
  }
  int named = 0;
  for (const Option& option : options) {
    const std::string_view name = option.value_name;
    if (!name.contains("file") && !name.contains("folder") && !name.contains("path")) continue;
    if (name == "<file|hash>") continue;  // a snapshot's hash more often than not
    CAPTURE(option.name);
    CHECK(value_source(option).starts_with('@'));
    ++named;
  }
  CHECK(named > 8);
}

TEST_CASE("completion: bash expands nothing of what the program answers") {
  CHECK(bash_completion().find("compgen -W") == std::string::npos);
}

TEST_CASE("completion: the usage line has the first positional") {
  const auto of = [](std::string_view name, std::string_view usage) {
    return positional_source({name, "", usage, "", "", "", Reach::host, {}, nullptr});
  };
  CHECK(of("close", "<package>") == "@packages");
  CHECK(of("scroll", "[<down|up|left|right>] <selector>") == "down up left right");
  CHECK(of("press", "<back|home|recents>") == "back home recents");
  CHECK(of("emulator start", "<name>") == "@avds");
  CHECK(of("connect", "<host:port|name>").empty());
  CHECK(of("click", "<selector> [--long]").empty());
}
