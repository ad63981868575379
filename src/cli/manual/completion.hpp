#pragma once
// Completion scripts for bash, zsh and fish, generated from the command and option tables; and the
// names that only this program can supply at run time: serials, packages, virtual devices.
//
// The placeholders in the tables decide what a shell offers for an option's value or for the first
// positional: words ("xml compact nodes"), or one of
//
//   @files @folders            from the shell
//   @serials @packages @avds   from this program: `clawperator completion --candidates serials`
//
// and nothing if the value is free text.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

std::string value_source(const Option& option);
std::string positional_source(const Command& command);

// "snapshot|snapshot-ui|snapshot_ui"; for a subcommand only the second words.
std::string case_pattern(const Command& command);

// The name; for a subcommand its second word.
std::string last_name(const Command& command);

// `text` with @VALUE_FLAGS@ replaced by a case pattern: every spelling of all commands that takes a
// value.
std::string with_value_flags(std::string_view text);

// "--text --id ...", the canonical spellings.
std::string option_names(std::span<const Option> options);

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

// The kinds, separated by spaces: the choices of `completion --candidates`.
inline constexpr std::string_view kCandidateKinds = "serials packages avds";

// One candidate a line. `words` is the command line so far, without the program: its --device,
// --adb-server and --transport count. Takes at most a second, starts no program and no dialog on
// the phone; every failure gives an empty list.
std::string candidates(std::string_view kind, std::span<const std::string> words);

// Sorted, one a line, without duplicates, and without names that a shell could split or expand.
std::string candidate_lines(std::vector<std::string> names);

}  // namespace clawperator::cli
