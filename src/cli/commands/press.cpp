#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kPressOptions =
    join(std::array{Option{"--key", "--button", Arity::one, "<back|home|recents>",
                           "the key, instead of the positional", "", OnMissing::command}},
         kAfterwardsOptions, kVerifyOptions);

}  // namespace

Result<act::PressKey> ask_press(const Invocation& invocation) {
  TRY(const auto key, positional_or(invocation.arguments, "--key",
                                    "press: pass the key as a positional argument or via --key, "
                                    "not both.\nUse `press back`."));
  if (!key || is_blank(*key)) {
    return missing_argument("press requires a key name.", "press <back|home|recents>");
  }
  return act::PressKey{*key};
}

constinit const Command kPress = {"press",
                                  "press-key press_key",
                                  "<back|home|recents>",
                                  "Press a system key",
                                  "back and home by the phone's own shell, without the Operator "
                                  "app, unless --backend app or a tree afterwards is\n"
                                  "asked for; beside the envelope stands \"backend\":\"shell\".",
                                  "press home\n",
                                  Reach::device,
                                  kPressOptions,
                                  run_verb<ask_press>,
                                  {},
                                  1};

}  // namespace clawperator::cli
