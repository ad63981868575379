#pragma once
// The tables as JSON, for agents and scripts that want to know what can be asked:
// `clawperator help --json`.

#include <string>

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

// {"name","version","globals":[option],"commands":[command],"environment":[..],"errors":[..]}
std::string program_json();

// {"name","synonyms","usage","summary","details","examples","needsDevice","options","subcommands"};
// of `exec` also "actions", what a payload may have, and "matcherFields"
std::string command_json(const Command& command);

}  // namespace clawperator::cli
