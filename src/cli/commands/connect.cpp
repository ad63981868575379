#include "runtime/device/connect.hpp"
#include "cli/commands/commands.hpp"
#include "cli/run_task.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

using Connect = Task<std::string> (*)(TargetOptions, std::string);

Result<Answer> run_connect(const Invocation& invocation, Connect connect) {
  const std::string name(invocation.command->name);
  const auto& positionals = invocation.arguments.positionals();
  if (positionals.empty() || is_blank(positionals.front())) {
    return missing_argument(name + " requires an address.", name + " <host:port>");
  }
  TRY(const std::string text, run_task(connect(invocation.globals.target, positionals.front())));
  Answer answer;
  answer.json = JsonObject()
                    .boolean("ok", true)
                    .text("address", positionals.front())
                    .text("message", text)
                    .str();
  if (invocation.globals.output == OutputMode::pretty) answer.text = text;
  return answer;
}

}  // namespace

constinit const Command kConnect = {
    "connect",
    "",
    "<host:port|name>",
    "Add a device that listens on TCP",
    "Through the adb server where one runs, which then keeps it. Without one, or with --transport "
    "tcp,\n"
    "the address is dialled directly and kept in ~/.clawperator/targets.json. A phone in the "
    "local\n"
    "network may be called by the name it announces (`devices --discover`).",
    "connect 192.168.1.20:5555\n"
    "connect adb-R58N12ABCDE-xQzWmb\n",
    Reach::host,
    {},
    [](const Invocation& invocation) { return run_connect(invocation, connect_target); },
    {},
    1};

constinit const Command kDisconnect = {
    "disconnect",
    "",
    "<host:port|name>",
    "Forget a device added by connect",
    "Called as it was connected, by its address or by the name it announces. Who answered there "
    "is\n"
    "forgotten, too: also of a paired phone, which a long-lived process goes on following.",
    "disconnect 192.168.1.20:5555\n",
    Reach::host,
    {},
    [](const Invocation& invocation) { return run_connect(invocation, disconnect_target); },
    {},
    1};

}  // namespace clawperator::cli
