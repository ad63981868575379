#include "cli/help.hpp"

#include "cli/command_table.hpp"
#include "cli/commands/commands.hpp"
#include "cli/describe.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kOptions{
    Option{"--json", "", Arity::none, "",
           "the same as data: commands, options, environment, error codes"},
};

adbproto::Result<Answer> run_help(const Invocation& invocation) {
  const Command* topic = help_topic(invocation.arguments.positionals());
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
                                 kOptions,
                                 run_help};

}  // namespace clawperator::cli
