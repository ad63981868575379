// `adb` passes its words on unchanged: their grammar is adb's.

#include "cli/adb/adb_command.hpp"
#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

Result<Answer> run_adb_words(const Invocation& invocation) {
  return Answer{.exit_code =
                    run_adb(invocation.arguments.positionals(), invocation.globals.target)};
}

}  // namespace

constinit const Command kAdb = {
    .name = "adb",
    .usage = "[-s SERIAL] <subcommand> ...",
    .summary = "adb's own command line, without adb",
    .details =
        "It has the texts and exit codes of adb 34; `clawperator adb help` lists the\n"
        "subcommands. Words after `adb` are never read as options of clawperator. A link to this\n"
        "program that is named adb does the same.",
    .examples =
        "adb devices -l\n"
        "adb -s emulator-5554 shell getprop ro.product.model\n"
        "adb forward tcp:8080 tcp:8080\n",
    .reach = Reach::host,
    .run = run_adb_words,
    .most_words = kAnyWords,
    .kind = Kind::foreign};

}  // namespace clawperator::cli
