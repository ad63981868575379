#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/settings.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kCloseOptions =
    join(std::array{Option{"--app", "--package --package-id --application-id --app-id", Arity::one,
                           "<package>", "the package, instead of the positional", "",
                           OnMissing::command}},
         kAfterwardsOptions, kVerifyOptions);

}  // namespace

Result<act::CloseApp> ask_close(const Invocation& invocation) {
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  TRY(const auto package, positional_or(invocation.arguments, "--app",
                                        "close: pass the package as a positional argument or via "
                                        "--app, not both.\nUse `close <package>`."));
  if (!package || is_blank(*package)) {
    return missing_argument("close requires a package name.", "close <package>");
  }
  return act::CloseApp{*package};
}

constinit const Command kClose = {"close",
                                  "close-app close_app",
                                  "<package>",
                                  "Stop an app",
                                  "By the phone's own shell, without the Operator app, unless "
                                  "--backend app or a tree afterwards is\n"
                                  "asked for; beside the envelope stands \"backend\":\"shell\".",
                                  "close com.android.settings\n",
                                  Reach::device,
                                  kCloseOptions,
                                  run_verb<ask_close>,
                                  {},
                                  1};

}  // namespace clawperator::cli
