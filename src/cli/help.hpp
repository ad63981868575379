#pragma once
// Help texts, made from the command and option tables.

#include <string>

#include "cli/command.hpp"

namespace clawperator::cli {

std::string top_level_help();
std::string command_help(const Command& command);

}  // namespace clawperator::cli
