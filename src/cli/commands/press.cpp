#include "base/js_string.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/screen_options.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kPressOptions =
    join(std::array{Option{"--key", "--button", Arity::one, "<back|home|recents>",
                           "the key, instead of the positional", "", OnMissing::command}},
         kActingOptions);

}  // namespace

Result<PressKey> press_from(const Invocation& invocation) {
  TRY(const auto key, positional_or(invocation.arguments, "--key",
                                    "press: pass the key as a positional argument or via --key, "
                                    "not both.\nUse `press back`."));
  if (!key || is_blank(*key)) {
    return missing_argument("press requires a key name.", "press <back|home|recents>");
  }
  return PressKey{key};
}

constinit const Command kPress = {
    .name = "press",
    .synonyms = "press-key press_key",
    .usage = "<back|home|recents>",
    .summary = "Press a system key",
    .details =
        "back and home by the phone's own shell, without the Operator app; \"backend\":\"shell\"\n"
        "stands beside the envelope. --backend app, or a tree afterwards, uses the Operator app.",
    .examples = "press home\n",
    .options = kPressOptions,
    .run = run_verb<press_from>,
    .most_words = 1};

Result<PressKey> back_from(const Invocation&) { return PressKey{"back"}; }

constinit const Command kBack = {.name = "back",
                                 .summary = "Press the back key",
                                 .examples = "back\n",
                                 .options = kActingOptions,
                                 .run = run_verb<back_from>};

}  // namespace clawperator::cli
