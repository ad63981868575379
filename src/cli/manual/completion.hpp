#pragma once
// Completion scripts for bash, zsh and fish, made from the command and option tables; and what only
// this program can tell them when they run: serials, packages, virtual devices.
//
// What a shell may offer for an option's value or for the first positional is told from the tables'
// own placeholders: words ("xml compact json"), or one of
//
//   @files @folders      the shell's own
//   @serials @packages @avds   the program's: `clawperator completion --candidates serials`
//
// and nothing where the value is free.

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

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// The kinds, separated by spaces: the choices of `completion --candidates`.
inline constexpr std::string_view kCandidateKinds = "serials packages avds";

// One a line. `words` is the command line so far, without the program: its --device, --adb-server
// and --transport count. Takes at most a second, starts nothing, asks nobody; whatever goes wrong
// makes an empty list.
std::string candidates(std::string_view kind, std::span<const std::string> words);

// Sorted, one a line, each once; without the names that a shell could take for more than a word.
std::string candidate_lines(std::vector<std::string> names);

}  // namespace clawperator::cli
