#pragma once
// What a shell may offer for an option's value or for the first positional, told from the tables'
// own placeholders: words ("xml compact json"), or one of
//
//   @files @folders      the shell's own
//   @serials @packages @avds   the program's: `clawperator completion --candidates serials`
//
// and nothing where the value is free.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::string value_source(const Option& option);
std::string positional_source(const Command& command);

// "snapshot|snapshot-ui|snapshot_ui", the second words alone for a subcommand.
std::string case_pattern(const Command& command);

// The name, of a subcommand its second word.
std::string last_name(const Command& command);

// `text` with every spelling of all commands that is followed by a value, as a case pattern, in the
// place of @VALUE_FLAGS@.
std::string with_value_flags(std::string_view text);

// "--text --id ...", the canonical spellings.
std::string option_names(std::span<const Option> options);

// Commands without subcommands, and the groups' subcommands.
std::vector<const Command*> completed_commands();

}  // namespace clawperator::cli
