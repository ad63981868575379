#include "cli/manual/help.hpp"

#include "cli/commands/commands.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/group.hpp"
#include "cli/manual/describe.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kHelpOptions{
    Option{"--json", "", Arity::none, "",
           "the same as data: commands, options, environment, error codes"},
};

// nullptr for the top level; an unknown topic gets the answer it would get as a command.
Result<const Command*> named_topic(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return nullptr;
  if (const Command* topic = help_topic(words)) return topic;
  TRY(const Lookup found, find_command(words));
  return group_usage(*found.command, std::span(words).subspan(found.words));
}

Result<Answer> run_help(const Invocation& invocation) {
  TRY(const Command* const topic, named_topic(invocation));
  Answer answer;
  if (invocation.arguments.has("--json")) {
    answer.json = topic ? command_json(*topic) : program_json();
    return answer;
  }
  answer.text = top_level_help();
  if (topic) answer.text += "\n" + command_help(*topic);
  return answer;
}

}  // namespace

constinit const Command kHelp = {"help",
                                 "",
                                 "[<command>] [<subcommand>] [--json]",
                                 "Print this help",
                                 "",
                                 "help click\n"
                                 "help click --json\n",
                                 Reach::host,
                                 kHelpOptions,
                                 run_help,
                                 {},
                                 2};

}  // namespace clawperator::cli
