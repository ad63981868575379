#pragma once
// All commands, their synonyms, and the two-word verbs of old scripts.

#include "base/error.hpp"
#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::span<const Command* const> commands();
// Each group is followed by its subcommands.
std::vector<const Command*> commands_and_subcommands();

struct Lookup {
  const Command* command = nullptr;  // nullptr: no such command
  std::size_t words = 0;             // the number of words in its name: 2 for `observe snapshot`
  const Command* group = nullptr;    // the group of a subcommand
};

Lookup look_up(std::span<const std::string> words);

// Like look_up; unknown_command with a suggestion if there is none.
Result<Lookup> find_command(std::span<const std::string> words);

// The command that `help` explains for these words; nullptr: the top level, also for an unknown
// word.
const Command* help_topic(std::span<const std::string> words);

// USAGE: lists the subcommands and suggests one for the first of `words`.
std::unexpected<Error> group_usage(const Command& group, std::span<const std::string> words);

// The name; for a subcommand the word after the group's: "list" of "emulator list".
std::string_view second_word(const Command& command);

// "list|inspect|create": the form of usage lines.
std::string names_of(std::span<const Command* const> commands, std::string_view separator);

}  // namespace clawperator::cli
