#include "cli/version.hpp"
#include "cli/commands/commands.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

adbproto::Result<Answer> run_version(const Invocation& invocation) {
  Answer answer;
  answer.json =
      JsonObject().text("cliVersion", kVersionText).text("apkCompat", kApkCompatText).str();
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = "clawperator " + std::string(kVersionText) + ", for Operator app " +
                  std::string(kApkCompatText);
  }
  return answer;
}

}  // namespace

constinit const Command kVersion = {
    "version",   "",
    "",          "Print the version, and the Operator app's it is meant for",
    "",          "version\n",
    Reach::host, {},
    run_version};

}  // namespace clawperator::cli
