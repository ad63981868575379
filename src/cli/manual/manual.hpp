#pragma once
// Output of the command, option, environment and error tables: help for people, JSON for agents and
// scripts, the manual page.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::string top_level_help();
std::string command_help(const Command& command);

// `help --json`:
// {"name","version","globals":[option],"commands":[command],"environment":[..],"errors":[..]}
std::string program_json();
// {"name","synonyms","usage","summary","details","examples","needsDevice","options","subcommands"};
// for `exec` also "actions" and "matcherFields", the parts of a payload
std::string command_json(const Command& command);

// clawperator.1: roff with the man macros, for `man` and mandoc.
std::string man_page();
// Escapes text so that roff prints it unchanged: `-`, `\`, quotes, and lines that begin with a dot.
std::string roff_escaped(std::string_view text);

}  // namespace clawperator::cli
