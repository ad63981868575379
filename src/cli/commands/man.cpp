#include "cli/commands/commands.hpp"
#include "cli/manual/man_page.hpp"

namespace clawperator::cli {
namespace {

Result<Answer> run_man(const Invocation&) {
  Answer answer;
  answer.text = man_page();
  return answer;
}

}  // namespace

constinit const Command kMan = {"man",
                                "",
                                "",
                                "Print the manual page",
                                "As roff: `clawperator man | man -l -` shows it.",
                                "man > clawperator.1\n",
                                Reach::host,
                                {},
                                run_man};

}  // namespace clawperator::cli
