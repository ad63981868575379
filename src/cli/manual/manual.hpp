#pragma once
// What is printed of the command, option, environment and error tables: help for people, JSON for
// agents and scripts, the manual page.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::string top_level_help();
std::string command_help(const Command& command);

// `help --json`:
// {"name","version","globals":[option],"commands":[command],"environment":[..],"errors":[..]}
std::string program_json();
// {"name","synonyms","usage","summary","details","examples","needsDevice","options","subcommands"};
// of `exec` also "actions", what a payload may have, and "matcherFields"
std::string command_json(const Command& command);

// clawperator.1: roff with the man macros, as `man` and mandoc read it.
std::string man_page();
// Text that roff prints as it is: `-`, `\`, quotes, and lines that begin with a dot.
std::string roff_escaped(std::string_view text);

}  // namespace clawperator::cli
