#pragma once
// Help texts, made from the command and option tables.

#include <span>
#include <string>

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::string top_level_help();
// What these words (a command, a subcommand) name; nullptr: the top level, as for an unknown word.
const Command* help_topic(std::span<const std::string> words);

std::string command_help(const Command& command);

}  // namespace clawperator::cli
