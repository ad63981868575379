#include "cli/completion.hpp"

#include <catch2/catch.hpp>

#include "cli/command_table.hpp"

using namespace clawperator::cli;

TEST_CASE("completion: every shell knows every command and every option") {
  const std::string bash = bash_completion();
  const std::string zsh = zsh_completion();
  const std::string fish = fish_completion();
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    CHECK(bash.find("    " + std::string(command->name)) != std::string::npos);
    CHECK(zsh.find("    '" + std::string(command->name) + ":") != std::string::npos);
    CHECK(fish.find(" -a " + std::string(command->name) + " ") != std::string::npos);
    for (const Option& option : command->options) {
      CAPTURE(option.name);
      CHECK(bash.find(option.name) != std::string::npos);
      CHECK(zsh.find("'" + std::string(option.name) + "[") != std::string::npos);
      CHECK(fish.find(" -l " + std::string(option.name.substr(2)) + " ") != std::string::npos);
    }
  }
}

TEST_CASE("completion: closed sets of values are offered") {
  CHECK(bash_completion().find("compgen -W \"xml compact json\"") != std::string::npos);
  CHECK(zsh_completion().find("(xml compact json)") != std::string::npos);
  CHECK(fish_completion().find("-a 'xml compact json'") != std::string::npos);
}

TEST_CASE("completion: words that stand as positionals are offered") {
  CHECK(bash_completion().find("--container-selector down up left right\"") != std::string::npos);
  CHECK(zsh_completion().find("'*:argument:(back home recents)'") != std::string::npos);
  CHECK(fish_completion().find(
            "'__fish_seen_subcommand_from press press-key press_key' -a 'back home recents'") !=
        std::string::npos);
}
