#pragma once
// A command that is nothing but its subcommands: `emulator list`, `emulator start`, ...

#include <span>
#include <string>
#include <string_view>

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

// USAGE: which subcommands there are, and which one the first of `words` may have meant.
std::unexpected<Error> group_usage(const Command& group, std::span<const std::string> words);

// The word after the group's: "list" of "emulator list".
std::string_view second_word(const Command& subcommand);

// "list|inspect|create": as usage lines show them.
std::string subcommand_words(const Command& group);

}  // namespace clawperator::cli
