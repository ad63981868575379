#include "cli/help.hpp"

#include "cli/command_table.hpp"
#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

adbproto::Result<Answer> run_help(const Invocation& invocation) {
  Answer answer;
  answer.text = top_level_help();
  const Lookup topic = look_up(invocation.arguments.positionals());
  if (topic.command) answer.text += "\n" + command_help(*topic.command);
  return answer;
}

}  // namespace

constinit const Command kHelp = {
    "help", "", "[<command>]", "Print this help", "", "help click\n", Reach::host, {}, run_help};

}  // namespace clawperator::cli
