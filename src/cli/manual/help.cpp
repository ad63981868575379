#include "cli/manual/manual.hpp"

#include <algorithm>

#include "cli/environment_table.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kHelpColumn = 34;  // where the explanations begin

std::string row(std::string left, std::string_view right) {
  left = "  " + std::move(left);
  if (left.size() + 2 > kHelpColumn)
    left += "\n" + std::string(kHelpColumn, ' ');
  else
    left.resize(kHelpColumn, ' ');
  return left + std::string(right) + "\n";
}

std::string option_row(const Option& option) {
  std::string left(option.name);
  if (!option.value_name.empty()) left += " " + std::string(option.value_name);
  std::string right(option.help);
  if (!option.aliases.empty()) {
    right += right.empty() ? "(also" : " (also";
    for_each_part(option.aliases,
                  [&](std::string_view alias) { right += " " + std::string(alias); });
    right += ")";
  }
  return row(std::move(left), right);
}

// The usage line in the list of commands; it shows exec's flag because people search for it.
std::string command_row(const Command& command) {
  std::string left(command.name);
  std::string right(command.summary);
  if (command.name == "exec") left += " <json-or-file> [--validate-only]";
  if (!command.subcommands.empty()) left += " " + names_of(command.subcommands, "|");
  if (!command.subcommands.empty() && !command.synonyms.empty()) {
    right += " ('" + std::string(command.synonyms) + "' is an alias)";
  }
  return row(std::move(left), right);
}

std::string usage_line(const Command& command) {
  return "clawperator " + std::string(command.name) + (command.usage.empty() ? "" : " ") +
         std::string(command.usage);
}

// The subcommands of a group with their arguments and summaries, and a pointer to their help.
std::string subcommand_rows(const Command& group) {
  std::string text = "\nSubcommands:\n";
  for (const Command* subcommand : group.subcommands) {
    text += "  " + usage_line(*subcommand) + "\n      " + std::string(subcommand->summary) + "\n";
  }
  return text + "\n`clawperator " + std::string(group.name) +
         " <subcommand> --help` explains one of them.\n";
}

// The actions of a payload and their parameters.
std::string action_lines() {
  std::string text = "\nActions, each {\"id\",\"type\",\"params\"} (* is required):\n";
  for (const ActionRow* action : action_rows()) {
    text += row(std::string(action->name), action->summary);
    for (const ParamUse& use : action->documented()) {
      text += row("  " + std::string(use.name()) + (use.need != Need::none ? "* " : " ") +
                      std::string(kind_name(kParams.at(use.row).kind)),
                  use.meaning);
    }
  }
  text += "A matcher has one or more of: ";
  for (const MatcherField& field : matcher_fields()) {
    text += (&field == &matcher_fields().front() ? "" : ", ") + std::string(field.name);
  }
  return text + ".\n";
}

std::string example_lines(std::string_view examples) {
  std::string text;
  for_each_part(
      examples, [&](std::string_view line) { text += "  clawperator " + std::string(line) + "\n"; },
      '\n');
  return text;
}

// The global options that change this command's result; the top-level help has the others.
bool matters_for(const Option& option, const Command& command) {
  if (is_one_of(option.name, "--output --json")) return true;
  const bool needs_server = is_one_of(command.name, "devices connect disconnect");
  if (is_one_of(option.name, "--adb-server --start-server")) {
    return needs_server || command.reach == Reach::device;
  }
  return command.reach == Reach::device &&
         is_one_of(option.name, "--device --operator-package --timeout --timings --transport");
}

}  // namespace

std::string top_level_help() {
  std::string text =
      "Clawperator CLI: see and act on an Android device\n"
      "\n"
      "Usage: clawperator [global options] <command> [options]\n"
      "\n"
      "Commands:\n";
  for (const Command* command : commands()) text += command_row(*command);
  text += "\nGlobal options:\n";
  for (const Option& option : global_options()) text += option_row(option);
  text += "\nEnvironment:\n";
  for (const EnvironmentVariable& variable : environment_table()) {
    text += row(std::string(variable.name), variable.help);
  }
  text +=
      "\n"
      "`clawperator <command> --help` explains one command. Results are JSON on stdout; the exit\n"
      "code is 0 only if the command did everything that it was called for.\n";
  return text;
}

std::string command_help(const Command& command) {
  const bool is_group = !command.subcommands.empty();
  std::string text = std::string(command.summary) + "\n\nUsage: " +
                     (is_group ? "clawperator " + std::string(command.name) + " " +
                                     names_of(command.subcommands, "|")
                               : usage_line(command)) +
                     "\n";
  if (!command.synonyms.empty()) text += "Also: " + std::string(command.synonyms) + "\n";
  if (!command.details.empty()) text += "\n" + std::string(command.details) + "\n";
  if (is_group) text += subcommand_rows(command);
  if (command.kind == Kind::payload) text += action_lines();
  if (!command.options.empty()) {
    text += "\nOptions:\n";
    for (const Option& option : command.options) text += option_row(option);
  }
  text += "\nGlobal options (all of them: clawperator --help):\n";
  for (const Option& option : global_options()) {
    if (matters_for(option, command)) text += option_row(option);
  }
  if (!command.examples.empty()) text += "\nExamples:\n" + example_lines(command.examples);
  return text;
}

}  // namespace clawperator::cli
