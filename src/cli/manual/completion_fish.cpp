#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/grammar/group.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/completion_values.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kFishHead = R"sh(# fish completion for clawperator
function __clawperator_ask  # what only the program knows
    set -l words (commandline -opc)
    set -l program $words[1]
    type -q $program; or set program clawperator
    $program completion --candidates $argv[1] -- $words[2..-1] 2>/dev/null
end
function __clawperator_words  # the command and what follows it, without flags and their values
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case @VALUE_FLAGS@
                set skip 1
            case '-*'
            case '*'
                echo $word
        end
    end
end
# Without arguments: is there no command yet? Else: is it one of the first argument's words, and the
# next word one of the second's ("-": not there yet)?
function __clawperator_at
    set -l words (__clawperator_words)
    if not set -q argv[1]
        not set -q words[1]
        return
    end
    set -q words[1]; and contains -- $words[1] (string split ' ' -- $argv[1]); or return 1
    set -q argv[2]; or return 0
    if test $argv[2] = -
        not set -q words[2]
        return
    end
    set -q words[2]; and contains -- $words[2] (string split ' ' -- $argv[2])
end
complete -c clawperator -f
)sh";

std::string spaced(std::string pattern) {
  std::ranges::replace(pattern, '|', ' ');
  return pattern;
}

std::string fish_values(const std::string& source) {
  if (source.empty()) return " -x";
  if (source == "@files") return " -r -F";
  if (source == "@folders") return " -x -a '(__fish_complete_directories (commandline -ct))'";
  if (source.starts_with('@')) return " -x -a '(__clawperator_ask " + source.substr(1) + ")'";
  return " -x -a " + adbproto::quote_for_shell(source);
}

std::string fish_option(const Option& option, const std::string& condition) {
  return "complete -c clawperator" + condition + " -l " + std::string(option.name.substr(2)) +
         " -d " + adbproto::quote_for_shell(option.help) +
         (option.arity == Arity::none ? "" : fish_values(value_source(option))) + "\n";
}

// `at`: the arguments of __clawperator_at.
std::string fish_leaf(const Command& command, const std::string& at) {
  const std::string condition = " -n '__clawperator_at " + at + "'";
  std::string text;
  if (const std::string source = positional_source(command); !source.empty()) {
    // Positionals are no option's values: -x and -r would ask for one.
    const std::string values = source == "@files" ? " -F" : fish_values(source).substr(3);
    text += "complete -c clawperator" + condition + values + "\n";
  }
  for (const Option& option : command.options) text += fish_option(option, condition);
  return text;
}

std::string fish_command(const Command& command, const std::string& at) {
  return "complete -c clawperator -n '__clawperator_at" + at + "' -a " + last_name(command) +
         " -d " + adbproto::quote_for_shell(command.summary) + "\n";
}

std::string in_double_quotes(const std::string& text) { return "\"" + text + "\""; }

std::string fish_group(const Command& group) {
  const std::string inside = in_double_quotes(spaced(case_pattern(group)));
  std::string text;
  for (const Command* subcommand : group.subcommands) {
    text += fish_command(*subcommand, " " + inside + " -");
    text +=
        fish_leaf(*subcommand, inside + " " + in_double_quotes(spaced(case_pattern(*subcommand))));
  }
  return text;
}

}  // namespace

std::string fish_completion() {
  std::string text = spaced(with_value_flags(kFishHead));
  for (const Option& option : global_options()) text += fish_option(option, "");
  for (const Command* command : commands()) {
    text += fish_command(*command, "");
    text += command->subcommands.empty()
                ? fish_leaf(*command, in_double_quotes(spaced(case_pattern(*command))))
                : fish_group(*command);
  }
  return text;
}

}  // namespace clawperator::cli
