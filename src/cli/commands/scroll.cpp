#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/selector.hpp"
#include "cli/settings.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kScrollOptions =
    join(std::array{Option{"--direction", "", Arity::one, "<down|up|left|right>",
                           "instead of the positional", "", OnMissing::command}},
         kContainerOptions, kAfterwardsOptions, kVerifyOptions);

}  // namespace

Result<act::Scroll> ask_scroll(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  TRY(const auto direction, positional_or(arguments, "--direction",
                                          "scroll: pass the direction as a positional argument or "
                                          "via --direction, not both.\nUse `scroll down`."));
  if (!direction || !contains_word("down up left right", *direction)) {
    return missing_argument("scroll requires a direction.\nValid directions: down, up, left, right",
                            "scroll <down|up|left|right>");
  }
  TRY(const auto container, read_selector(arguments, SelectorFamily::container));
  return act::Scroll{*direction, container};
}

constinit const Command kScroll = {
    "scroll",
    "",
    "<down|up|left|right> [container flags]",
    "Scroll once",
    "",
    "scroll down\n"
    "scroll up --container-id com.android.settings:id/recycler_view\n",
    Reach::device,
    kScrollOptions,
    run_verb<ask_scroll>,
    {},
    1};

}  // namespace clawperator::cli
