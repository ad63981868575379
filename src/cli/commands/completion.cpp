#include "cli/completion.hpp"

#include "cli/commands/commands.hpp"
#include "cli/target_argument.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Errc;
using adbproto::Result;

Result<Answer> run_completion(const Invocation& invocation) {
  const auto& positionals = invocation.arguments.positionals();
  if (positionals.empty()) {
    return missing_argument("completion requires a shell.", "completion <bash|zsh|fish>");
  }
  Answer answer;
  if (positionals[0] == "bash")
    answer.text = bash_completion();
  else if (positionals[0] == "zsh")
    answer.text = zsh_completion();
  else if (positionals[0] == "fish")
    answer.text = fish_completion();
  else
    return adbproto::fail(Errc::usage, "completion: shell must be one of: bash, zsh, fish");
  return answer;
}

}  // namespace

constinit const Command kCompletion = {
    "completion",
    "",
    "<bash|zsh|fish>",
    "Print a completion script",
    "",
    "completion bash > ~/.local/share/bash-completion/completions/clawperator\n",
    Reach::host,
    {},
    run_completion};

}  // namespace clawperator::cli
