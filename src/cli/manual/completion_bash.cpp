#include <algorithm>

#include "adbproto/wire/services.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/grammar/group.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/completion_values.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kBashHead = R"sh(# bash completion for clawperator
_clawperator_ask() {  # what only the program knows
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
    @*) _clawperator_take "$current" <<< "$(_clawperator_ask "${offer#@}")" ;;
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

std::string joined(std::span<const Command* const> commands, std::string_view separator,
                   std::string (*text)(const Command&)) {
  std::string all;
  for (const Command* command : commands) {
    all += (all.empty() ? "" : std::string(separator)) + text(*command);
  }
  return all;
}

// `command` and `second` become canonical names.
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
    for_each_word(option.aliases,
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
  return "    '" + std::string(group.name) + "') first='" +
         joined(group.subcommands, " ", last_name) + "' positionals=0 ;;\n";
}

}  // namespace

std::string bash_completion() {
  std::string text = with_value_flags(kBashHead) + bash_name_cases() + "  case \"$previous\" in\n" +
                     bash_value_cases(global_options(), "    ") +
                     "  esac\n  case \"$command\" in\n";
  for (const Command* command : commands_and_subcommands()) {
    text += command->subcommands.empty() ? bash_command_case(*command) : bash_group_case(*command);
  }
  return text + "    *) first='" + joined(commands(), " ", last_name) +
         "' ;;\n  esac\n  flags+=' " + option_names(global_options()) + "'" +
         std::string(kBashTail);
}

}  // namespace clawperator::cli
