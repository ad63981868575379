#include "cli/completion.hpp"

#include <algorithm>

#include "cli/command_table.hpp"
#include "cli/globals.hpp"

namespace clawperator::cli {
namespace {

// Words that stand between single quotes in all three shells; the tables hold no quotes in names,
// help lines may.
std::string single_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

bool names_a_file(const Option& option) {
  return option.value_name.find("file") != std::string_view::npos;
}

std::string joined_names(std::span<const Option> options) {
  std::string names;
  for (const Option& option : options) {
    names += (names.empty() ? "" : " ") + std::string(option.name);
  }
  return names;
}

std::string all_command_names() {
  std::string names;
  for (const Command* command : commands()) {
    names += (names.empty() ? "" : " ") + std::string(command->name);
  }
  return names;
}

// `name|synonym|synonym` for a case pattern.
std::string case_pattern(const Command& command) {
  std::string pattern(command.name);
  for_each_word(command.synonyms,
                [&](std::string_view synonym) { pattern += "|" + std::string(synonym); });
  return pattern;
}

// The words a command takes as its first positional: "down up left right" of
// `[<down|up|left|right>] <selector>`; empty when it is free.
std::string positional_words(const Command& command) {
  std::string_view usage = command.usage;
  if (usage.starts_with('[')) usage.remove_prefix(1);
  if (!usage.starts_with('<')) return {};
  std::string words(usage.substr(1, usage.find('>') - 1));
  if (words.find('|') == std::string::npos) return {};
  std::ranges::replace(words, '|', ' ');
  return words;
}

// One bash case branch per option that has values worth offering.
std::string bash_value_cases(std::span<const Option> options, std::string_view indent) {
  std::string cases;
  for (const Option& option : options) {
    std::string reply;
    if (!option.choices.empty()) {
      reply = "COMPREPLY=($(compgen -W \"" + std::string(option.choices) + "\" -- \"$current\"))";
    } else if (names_a_file(option)) {
      reply = "COMPREPLY=($(compgen -f -- \"$current\"))";
    } else if (option.arity != Arity::none) {
      reply = "COMPREPLY=()";
    } else {
      continue;
    }
    cases += std::string(indent) + std::string(option.name) + ") " + reply + "; return ;;\n";
  }
  return cases;
}

std::string bash_command_case(const Command& command) {
  std::string text = "    " + case_pattern(command) + ")\n      words=\"" +
                     joined_names(command.options) + " " + positional_words(command) + "\"\n";
  const std::string values = bash_value_cases(command.options, "        ");
  if (!values.empty()) text += "      case \"$previous\" in\n" + values + "      esac\n";
  return text + "      ;;\n";
}

std::string zsh_spec(const Option& option) {
  std::string help;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') help += '\\';
    help += c;
  }
  std::string spec = std::string(option.name) + "[" + help + "]";
  if (option.arity == Arity::none) return single_quoted(spec);
  spec += ":value:";
  if (!option.choices.empty())
    spec += "(" + std::string(option.choices) + ")";
  else if (names_a_file(option))
    spec += "_files";
  return single_quoted(option.arity == Arity::two ? spec + ":value: " : spec);
}

std::string zsh_specs(std::span<const Option> options) {
  std::string specs;
  for (const Option& option : options) specs += " \\\n        " + zsh_spec(option);
  return specs;
}

std::string fish_option(const Option& option, const std::string& condition) {
  std::string line = "complete -c clawperator" + condition + " -l " +
                     std::string(option.name.substr(2)) + " -d " + single_quoted(option.help);
  if (option.arity == Arity::none) return line + "\n";
  line += names_a_file(option) ? " -r -F" : " -x";
  if (!option.choices.empty()) line += " -a " + single_quoted(option.choices);
  return line + "\n";
}

}  // namespace

std::string bash_completion() {
  std::string text =
      "# bash completion for clawperator\n"
      "_clawperator() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  local command=\"\" word words=\"\"\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case \"$word\" in\n"
      "      " +
      [] {
        std::string patterns;
        for (const Command* command : commands()) {
          patterns += (patterns.empty() ? "" : "|") + case_pattern(*command);
        }
        return patterns;
      }() +
      ") command=\"$word\"; break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$command\" in\n";
  for (const Command* command : commands()) text += bash_command_case(*command);
  text += "    *) words=" + single_quoted(all_command_names()) + " ;;\n  esac\n";
  text += "  case \"$previous\" in\n" + bash_value_cases(global_options(), "    ") + "  esac\n";
  text += "  words+=\" " + joined_names(global_options()) + "\"\n";
  text +=
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  [[ \"$command\" == exec && \"$current\" != -* ]] && "
      "COMPREPLY+=($(compgen -f -- \"$current\"))\n"
      "  return 0\n"
      "}\n"
      "complete -o filenames -F _clawperator clawperator\n";
  return text;
}

std::string zsh_completion() {
  std::string text =
      "#compdef clawperator\n"
      "# zsh completion for clawperator\n"
      "_clawperator() {\n"
      "  local context state line command word\n"
      "  local -a commands globals\n"
      "  commands=(";
  for (const Command* command : commands()) {
    text +=
        "\n    " + single_quoted(std::string(command->name) + ":" + std::string(command->summary));
  }
  text += "\n  )\n  globals=(" + zsh_specs(global_options()) + "\n  )\n";
  text +=
      "  for word in ${words[2,CURRENT-1]}; do\n"
      "    [[ $word != -* ]] && (( ${commands[(I)${word}:*]} )) && command=$word && break\n"
      "  done\n"
      "  case $command in\n";
  for (const Command* command : commands()) {
    const std::string words = positional_words(*command);
    text += "    " + case_pattern(*command) + ")\n      _arguments $globals '*:argument:" +
            (words.empty() ? "_files" : "(" + words + ")") + "'" + zsh_specs(command->options) +
            "\n      ;;\n";
  }
  text +=
      "    *)\n"
      "      _arguments $globals '1: :->command'\n"
      "      [[ $state == command ]] && _describe command commands\n"
      "      ;;\n"
      "  esac\n"
      "}\n"
      "compdef _clawperator clawperator\n";
  return text;
}

std::string fish_completion() {
  std::string text =
      "# fish completion for clawperator\n"
      "complete -c clawperator -f\n";
  for (const Option& option : global_options()) text += fish_option(option, "");
  for (const Command* command : commands()) {
    const std::string name(command->name);
    text += "complete -c clawperator -n __fish_use_subcommand -a " + name + " -d " +
            single_quoted(command->summary) + "\n";
    const std::string condition = " -n '__fish_seen_subcommand_from " + name +
                                  (command->synonyms.empty() ? "" : " ") +
                                  std::string(command->synonyms) + "'";
    if (const std::string words = positional_words(*command); !words.empty()) {
      text += "complete -c clawperator" + condition + " -a '" + words + "'\n";
    }
    for (const Option& option : command->options) text += fish_option(option, condition);
  }
  return text;
}

}  // namespace clawperator::cli
