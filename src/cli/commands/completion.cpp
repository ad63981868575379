#include "cli/manual/completion.hpp"

#include "cli/commands/commands.hpp"
#include "cli/manual/candidates.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kCompletionOptions{
    Option{"--candidates", "", Arity::one, "<serials|packages|avds>",
           "for the scripts: what can stand next in the command line after `--`", kCandidateKinds},
};

Result<Answer> run_completion(const Invocation& invocation) {
  const auto& positionals = invocation.arguments.positionals();
  Answer answer;
  if (const std::string* kind = invocation.arguments.value("--candidates")) {
    answer.text = candidates(*kind, positionals);
    return answer;
  }
  if (positionals.empty()) {
    return missing_argument("completion requires a shell.", "completion <bash|zsh|fish>");
  }
  if (positionals[0] == "bash")
    answer.text = bash_completion();
  else if (positionals[0] == "zsh")
    answer.text = zsh_completion();
  else if (positionals[0] == "fish")
    answer.text = fish_completion();
  else
    return fail(errc::usage, "completion: shell must be one of: bash, zsh, fish");
  return answer;
}

}  // namespace

constinit const Command kCompletion = {
    "completion",
    "",
    "<bash|zsh|fish>",
    "Print a completion script",
    "Serials, packages and virtual devices are completed as well: the script asks this program, "
    "which\n"
    "answers within a second and starts nothing.",
    "completion bash > ~/.local/share/bash-completion/completions/clawperator\n"
    "completion zsh > ~/.zfunc/_clawperator\n"
    "completion fish > ~/.config/fish/completions/clawperator.fish\n"
    "completion --candidates serials\n",
    Reach::host,
    kCompletionOptions,
    run_completion,
    {},
    kAnyWords};

}  // namespace clawperator::cli
