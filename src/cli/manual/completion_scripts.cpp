#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/manual/completion.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kBashHead = R"sh(# bash completion for clawperator
_clawperator_candidates() {  # names that only the program can list
  local program="${words[0]/#\~/$HOME}"
  type "$program" > /dev/null 2>&1 || program=clawperator
  "$program" completion --candidates "$1" -- "${words[@]:1}" 2> /dev/null
}
_clawperator_take() {  # offers the lines of stdin that begin with $1; nothing in them is expanded
  local name
  COMPREPLY=()
  while IFS= read -r name; do
    [[ -n "$name" && "$name" == "$1"* ]] && COMPREPLY+=("$name")
  done
}
_clawperator() {
  local IFS=$' \t\n' line="${COMP_LINE:0:COMP_POINT}" current previous prefix="" word skip=""
  local command="" second="" positionals=0 flags="" first="" values="" offer=""
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="${words[${#words[@]}-1]}"
  unset "words[${#words[@]}-1]"
  previous="${words[${#words[@]}-1]}"
  if [[ "$current" == --*=* ]]; then
    previous="${current%%=*}" prefix="${current%%=*}=" current="${current#*=}"
  fi
  for word in "${words[@]:1}"; do
    if [[ -n "$skip" ]]; then skip=""; continue; fi
    case "$word" in
      @VALUE_FLAGS@) skip=1 ;;
      -*) ;;
      *) if [[ -z "$command" ]]; then command="$word"; else
           [[ -z "$second" ]] && second="$word"
           ((positionals++))
         fi ;;
    esac
  done
)sh";

constexpr std::string_view kBashTail = R"sh(
  if [[ -n "$skip" || -n "$prefix" ]]; then offer="$values"
  elif [[ "$current" == -* ]]; then offer="$flags"
  elif ((positionals == 0)) && [[ -n "$first" ]]; then offer="$first"
  elif [[ -z "$current" ]]; then offer="$flags"
  fi
  case "$offer" in
    @files) compopt -o filenames 2> /dev/null
      _clawperator_take "" <<< "$(compgen -f -- "$current")" ;;
    @folders) compopt -o filenames 2> /dev/null
      _clawperator_take "" <<< "$(compgen -d -- "$current")" ;;
    @*) _clawperator_take "$current" <<< "$(_clawperator_candidates "${offer#@}")" ;;
    *) _clawperator_take "$current" <<< "${offer// /$'\n'}" ;;
  esac
  # The shell replaces what follows its last word break only: 127.0.0.1:5555, --format=xml.
  if [[ -n "$prefix" && "$COMP_WORDBREAKS" != *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
  elif [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    prefix="${current%"${current##*:}"}"
    COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
  fi
  return 0
}
complete -F _clawperator clawperator
)sh";

// Replaces `command` and `second` by the canonical names.
std::string bash_name_cases() {
  std::string text = "  case \"$command\" in\n";
  for (const Command* command : commands()) {
    text += "    " + case_pattern(*command) + ") command=" + last_name(*command);
    if (!command->subcommands.empty()) {
      text += "\n      case \"$second\" in\n";
      for (const Command* subcommand : command->subcommands) {
        text += "        " + case_pattern(*subcommand) + ") command+=\" " + last_name(*subcommand) +
                "\"; ((positionals--)) ;;\n";
      }
      text += "      esac";
    }
    text += " ;;\n";
  }
  return text + "    *) command= ;;\n  esac\n";
}

std::string bash_value_cases(std::span<const Option> options, std::string_view indent) {
  std::string cases;
  for (const Option& option : options) {
    if (option.arity == Arity::none) continue;
    std::string spellings(option.name);
    for_each_part(option.aliases,
                  [&](std::string_view alias) { spellings += "|" + std::string(alias); });
    cases += std::string(indent) + spellings +
             ") values=" + adbproto::quote_for_shell(value_source(option)) + " ;;\n";
  }
  return cases;
}

std::string bash_command_case(const Command& command) {
  std::string text = "    '" + std::string(command.name) + "')\n      flags='" +
                     option_names(command.options) +
                     "' first=" + adbproto::quote_for_shell(positional_source(command)) + "\n";
  const std::string values = bash_value_cases(command.options, "        ");
  if (!values.empty()) text += "      case \"$previous\" in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

std::string bash_group_case(const Command& group) {
  return "    '" + std::string(group.name) + "') first='" + names_of(group.subcommands, " ") +
         "' positionals=0 ;;\n";
}

constexpr std::string_view kZshHead = R"sh(#compdef clawperator
# zsh completion for clawperator
_clawperator_candidates() {  # names that only the program can list
  local program=${~words[1]}
  (( $+commands[$program] )) || [[ -x $program ]] || program=clawperator
  local -a candidates
  candidates=(${(f)"$($program completion --candidates $1 -- ${(Q)words[2,CURRENT-1]} 2> /dev/null)"})
  compadd -a candidates
}
_clawperator() {
  local context state line command second word skip
  local -a names globals found
)sh";

constexpr std::string_view kFindCommand = R"sh(
  for word in ${words[2,CURRENT-1]}; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      (@VALUE_FLAGS@) skip=1 ;;
      (-*) ;;
      (*) if [[ -z $command ]]; then command=$word; elif [[ -z $second ]]; then second=$word; fi ;;
    esac
  done
  case $command in
)sh";

constexpr std::string_view kZshTail = R"sh(    *)
      _arguments $globals '1: :->command'
      [[ $state == command ]] && _describe command names
      ;;
  esac
}
if [[ $funcstack[1] == _clawperator ]]; then _clawperator "$@"; else compdef _clawperator clawperator; fi
)sh";

std::string zsh_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The form of an _arguments action; the blank keeps _arguments from adding words of its own.
std::string zsh_action(const std::string& source) {
  if (source.empty()) return " ";
  if (source == "@files") return "_files";
  if (source == "@folders") return "_files -/";
  if (source.starts_with('@')) return " _clawperator_candidates " + source.substr(1);
  return "(" + source + ")";
}

std::string zsh_spec(const Option& option) {
  std::string spec = std::string(option.name) + "[" + zsh_escaped(option.help) + "]";
  if (option.arity != Arity::none) spec += ":value:" + zsh_action(value_source(option));
  return adbproto::quote_for_shell(option.arity == Arity::two ? spec + ":value: " : spec);
}

std::string zsh_specs(std::span<const Option> options) {
  std::string specs;
  for (const Option& option : options) specs += " \\\n        " + zsh_spec(option);
  return specs;
}

std::string zsh_described(std::span<const Command* const> commands, std::string_view indent) {
  std::string list;
  for (const Command* command : commands) {
    list += std::string(indent) +
            adbproto::quote_for_shell(last_name(*command) + ":" + std::string(command->summary));
  }
  return list;
}

std::string zsh_leaf(const Command& command) {
  return "_arguments $globals" + zsh_specs(command.options) +
         " \\\n        '*:argument:" + zsh_action(positional_source(command)) + "'";
}

std::string zsh_case(const Command& command) {
  if (command.subcommands.empty()) {
    return "    " + case_pattern(command) + ")\n      " + zsh_leaf(command) + "\n      ;;\n";
  }
  std::string text = "    " + case_pattern(command) + ")\n      case $second in\n";
  for (const Command* subcommand : command.subcommands) {
    text += "        " + case_pattern(*subcommand) + ") " + zsh_leaf(*subcommand) + " ;;\n";
  }
  return text + "        *)\n          found=(" +
         zsh_described(command.subcommands, "\n            ") +
         "\n          )\n          _describe subcommand found\n          ;;\n      esac\n      "
         ";;\n";
}

constexpr std::string_view kFishHead = R"sh(# fish completion for clawperator
function __clawperator_candidates  # names that only the program can list
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
  if (source.starts_with('@'))
    return " -x -a '(__clawperator_candidates " + source.substr(1) + ")'";
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
    // Positionals belong to no option: -x and -r would require a value.
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

std::string bash_completion() {
  std::string text = with_value_flags(kBashHead) + bash_name_cases() + "  case \"$previous\" in\n" +
                     bash_value_cases(global_options(), "    ") +
                     "  esac\n  case \"$command\" in\n";
  for (const Command* command : commands_and_subcommands()) {
    text += command->subcommands.empty() ? bash_command_case(*command) : bash_group_case(*command);
  }
  return text + "    *) first='" + names_of(commands(), " ") + "' ;;\n  esac\n  flags+=' " +
         option_names(global_options()) + "'" + std::string(kBashTail);
}

std::string zsh_completion() {
  std::string text = std::string(kZshHead) + "  names=(" + zsh_described(commands(), "\n    ") +
                     "\n  )\n  globals=(" + zsh_specs(global_options()) + "\n  )" +
                     with_value_flags(kFindCommand);
  for (const Command* command : commands()) text += zsh_case(*command);
  return text + std::string(kZshTail);
}

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
