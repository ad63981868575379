#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kOptions{
    Option{"--app", "--package --package-id --application-id --app-id", Arity::one, "<package>",
           "the package, instead of the positional", "", OnMissing::command}};

}  // namespace

Result<Draft> draft_close(const Invocation& invocation) {
  TRY(const double timeout, finite_timeout_or(invocation.globals, 30000));
  TRY(const auto package, positional_or(invocation.arguments, "--app",
                                        "close: pass the package as a positional argument or via "
                                        "--app, not both.\nUse `close <package>`."));
  if (!package || is_blank(*package)) {
    return missing_argument("close requires a package name.", "close <package>");
  }
  const std::string id = invocation.stamp.long_id("close");
  return Draft{single_action({id, id, "clawperator-cli", timeout, false}, "close", "close_app",
                             JsonObject().text("applicationId", *package).str()),
               std::nullopt};
}

constinit const Command kClose = {"close",
                                  "close-app close_app",
                                  "<package>",
                                  "Stop an app",
                                  "",
                                  "close com.android.settings\n",
                                  Reach::device,
                                  kOptions,
                                  run_drafted<draft_close>,
                                  {},
                                  1};

}  // namespace clawperator::cli
