#include "adbproto/wire/services.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/grammar/group.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/completion_values.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kZshHead = R"sh(#compdef clawperator
# zsh completion for clawperator
_clawperator_ask() {  # what only the program knows
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

// As _arguments wants an action; the blank keeps it from adding words of its own.
std::string zsh_action(const std::string& source) {
  if (source.empty()) return " ";
  if (source == "@files") return "_files";
  if (source == "@folders") return "_files -/";
  if (source.starts_with('@')) return " _clawperator_ask " + source.substr(1);
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

}  // namespace

std::string zsh_completion() {
  std::string text = std::string(kZshHead) + "  names=(" + zsh_described(commands(), "\n    ") +
                     "\n  )\n  globals=(" + zsh_specs(global_options()) + "\n  )" +
                     with_value_flags(kFindCommand);
  for (const Command* command : commands()) text += zsh_case(*command);
  return text + std::string(kZshTail);
}

}  // namespace clawperator::cli
