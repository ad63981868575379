#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kOptions{Option{"--key", "--button", Arity::one, "<back|home|recents>",
                                     "the key, instead of the positional", "", OnMissing::command}};

}  // namespace

Draft press_draft(const Invocation& invocation, std::string_view key) {
  const ExecutionHead head{invocation.stamp.short_id("press_key"), "cli-action-press-key",
                           "clawperator-cli", 10000, false};
  return {single_action(head, "a1", "press_key", JsonObject().text("key", key).str()),
          invocation.globals.timeout_ms};
}

Result<Draft> draft_press(const Invocation& invocation) {
  TRY(const auto key, positional_or(invocation.arguments, "--key",
                                    "press: pass the key as a positional argument or via --key, "
                                    "not both.\nUse `press back`."));
  if (!key || is_blank(*key)) {
    return missing_argument("press requires a key name.", "press <back|home|recents>");
  }
  return press_draft(invocation, *key);
}

constinit const Command kPress = {"press",
                                  "press-key press_key",
                                  "<back|home|recents>",
                                  "Press a system key",
                                  "",
                                  "press home\n",
                                  Reach::device,
                                  kOptions,
                                  run_drafted<draft_press>,
                                  {},
                                  1};

}  // namespace clawperator::cli
