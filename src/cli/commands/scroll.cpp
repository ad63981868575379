#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kOptions =
    join(std::array{Option{"--direction", "", Arity::one, "<down|up|left|right>",
                           "instead of the positional", "", OnMissing::command}},
         kContainerOptions);

}  // namespace

Result<Draft> draft_scroll(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const double timeout, finite_timeout_or(invocation.globals, 30000));
  TRY(const auto direction, positional_or(arguments, "--direction",
                                          "scroll: pass the direction as a positional argument or "
                                          "via --direction, not both.\nUse `scroll down`."));
  if (!direction || !contains_word("down up left right", *direction)) {
    return missing_argument("scroll requires a direction.\nValid directions: down, up, left, right",
                            "scroll <down|up|left|right>");
  }
  TRY(const auto container, read_matcher(arguments, SelectorFamily::container));
  JsonObject params;
  params.text("direction", *direction);
  if (container) params.json("container", *container);
  const ExecutionHead head{invocation.stamp.long_id("scroll"), "cli-action-scroll",
                           "clawperator-cli", timeout, false};
  return Draft{single_action(head, "a1", "scroll", params.str()), std::nullopt};
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
    kOptions,
    run_drafted<draft_scroll>,
    {},
    1};

}  // namespace clawperator::cli
