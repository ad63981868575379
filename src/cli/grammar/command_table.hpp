#pragma once
// All commands, their synonyms, and the two-word verbs of old scripts.

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

// What `help` explains by these words; nullptr: the top level, as for an unknown word.
const Command* help_topic(std::span<const std::string> words);

// USAGE: which subcommands there are, and which one the first of `words` may have meant.
std::unexpected<Error> group_usage(const Command& group, std::span<const std::string> words);

// The name, of a subcommand the word after the group's: "list" of "emulator list".
std::string_view second_word(const Command& command);

// "list|inspect|create": those, as usage lines show them.
std::string names_of(std::span<const Command* const> commands, std::string_view separator);

}  // namespace clawperator::cli
