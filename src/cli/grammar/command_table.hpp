#pragma once
// All commands, their synonyms, and the two-word verbs of old scripts.

#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::span<const Command* const> commands();
// A group is followed by its subcommands.
std::vector<const Command*> commands_and_subcommands();

struct Lookup {
  const Command* command = nullptr;  // nullptr: no such command
  std::size_t words = 0;             // how many words name it: 2 for `observe snapshot`
  const Command* group = nullptr;    // that it is a subcommand of
};

Lookup look_up(std::span<const std::string> words);

// As look_up; unknown_command with a suggestion when there is none.
Result<Lookup> find_command(std::span<const std::string> words);

}  // namespace clawperator::cli
