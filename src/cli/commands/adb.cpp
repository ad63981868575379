#include "cli/adb/adb_command.hpp"
#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

Result<Answer> run_adb_words(const Invocation& invocation) {
  Answer answer;
  answer.exit_code = run_adb(invocation.arguments.positionals(), invocation.globals.target);
  return answer;
}

}  // namespace

constinit const Command kAdb = {
    "adb",
    "",
    "[-s SERIAL] <subcommand> ...",
    "adb's own command line, without adb",
    "With the texts and exit codes of adb 34; `clawperator adb help` lists the subcommands. Words\n"
    "after `adb` are never read as options of clawperator. A link to this program that is named\n"
    "adb does the same.",
    "adb devices -l\n"
    "adb -s emulator-5554 shell getprop ro.product.model\n"
    "adb forward tcp:8080 tcp:8080\n",
    Reach::host,
    {},
    run_adb_words,
    {},
    kAnyWords,
    Kind::foreign};

}  // namespace clawperator::cli
